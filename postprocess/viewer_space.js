/* Moving bodies in space in a page: turned, enlarged and played. vtk.js draws them (percussVtk, see vtkjs/); where the browser has no WebGL
 * they are drawn by hand into the canvas, what is far away first. Axes, the bar of colours and the forces' scale are drawn by hand over either.
 *
 * `run` holds what viewer_space.py has put together. Point i of body b stands at place_b + R(turn_b) point_i, where b is one more than the last
 * body at point_i, and with b = -1 at a place of its own in every output. The view can be given in the address:
 * report.html#time=0.3&field=velocity&forces=1&azimuth=35&elevation=20&zoom=2&at=400,300&draw=canvas */
'use strict';
function percussSpaceViewer(run, decode, root) {
  const points = decode(run.points, Float32Array), body = decode(run.body, Int32Array), nPoints = body.length;
  const nodes = decode(run.nodes, Uint32Array), starts = decode(run.starts, Uint32Array), ground = decode(run.ground, Uint8Array);
  const edges = decode(run.edges, Uint32Array), lines = decode(run.lines, Uint32Array), dots = decode(run.dots, Uint32Array);
  const balls = decode(run.balls, Uint32Array), radii = decode(run.radii, Float32Array), plain = decode(run.plain, Uint8Array);
  const places = decode(run.places, Float32Array), turns = decode(run.turns, Int16Array), loose = decode(run.loose, Float32Array);
  const fields = run.fields.map(f => ({...f, values: decode(f.values, Uint16Array)}));
  const maps = Object.fromEntries(Object.entries(run.maps).map(([name, place]) => [name, decode(place, Uint8Array)]));
  const arrows = run.forces ? run.forces.arrows.map(place => decode(place, Int16Array)) : null;
  const nBodies = run.numbers.length, nFaces = starts.length - 1, nLoose = body.filter(b => b < 0).length;
  const find = name => root.querySelector(`[name=${name}]`);
  const canvas = root.querySelector('canvas'), context = canvas.getContext('2d');
  const groundColour = [1, 3, 5].map(k => parseInt(run.ground_colour.slice(k, k + 2), 16));
  const world = new Float32Array(3 * nPoints), colours = new Uint8Array(3 * nBodies);
  const {low, high} = run, size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1, fov = 24 * Math.PI / 180;
  let frame = 0, timer = null, pending = false, pointer = null, drawer = null;
  const start = {azimuth: -60, elevation: 22, zoom: 1, fits: 0};
  const camera = {...start, target: low.map((x, k) => (x + high[k]) / 2)};

  /* ---- small vectors ----------------------------------------------------------------------------------------------- */

  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const along = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
  const unit = a => { const n = Math.hypot(...a) || 1; return a.map(x => x / n); };
  const point = i => [world[3 * i], world[3 * i + 1], world[3 * i + 2]];

  /* ---- bodies ------------------------------------------------------------------------------------------------------ */

  function matrix(k) {
    const q = [0, 1, 2, 3].map(i => turns[4 * k + i]), n = Math.hypot(...q) || 1, [w, x, y, z] = q.map(c => c / n);
    return [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z),
            2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
  }

  /* where all points are in this output */
  function move() {
    let last = -2, R = null, x = null, own = 3 * frame * nLoose;
    for (let i = 0; i < nPoints; i++) {
      const b = body[i];
      if (b !== last && b >= 0 && b < nBodies)
        R = matrix(frame * nBodies + b), x = places.subarray(3 * (frame * nBodies + b), 3 * (frame * nBodies + b) + 3);
      last = b;
      for (let j = 0; j < 3; j++)
        world[3 * i + j] = b < 0 ? loose[own++] : b >= nBodies ? points[3 * i + j]
          : x[j] + R[3 * j] * points[3 * i] + R[3 * j + 1] * points[3 * i + 1] + R[3 * j + 2] * points[3 * i + 2];
    }
  }

  const field = () => (find('field').value === '' ? null : fields[Number(find('field').value)]);
  const number = (f, b) => f.low + (f.high - f.low) * f.values[frame * nBodies + b] / 65535;
  function paint() {
    const f = field();
    for (let b = 0; b < nBodies; b++) {
      const t = f ? (f.values[frame * nBodies + b] - f.shown[0]) / (f.shown[1] - f.shown[0]) : 0;
      const k = 3 * Math.max(0, Math.min(255, Math.floor(256 * t))), from = f && run.free[b] ? maps[f.map].subarray(k, k + 3) : plain.subarray(3 * b, 3 * b + 3);
      colours.set(from, 3 * b);
    }
  }
  const colourOf = b => (b >= 0 && b < nBodies ? [colours[3 * b], colours[3 * b + 1], colours[3 * b + 2]] : groundColour);

  /* places and forces of this output, the longest an eighth of the box */
  function forces() {
    if (!arrows || !find('forces').checked) return [];
    const list = arrows[frame], found = [], scale = 0.125 * size / 8191;
    for (let k = 0; k < list.length; k += 6) {
      const from = [0, 1, 2].map(i => low[i] + (high[i] - low[i]) * (list[k + i] + 32768) / 65535);
      found.push([from, along(from, scale, [list[k + 3], list[k + 4], list[k + 5]])]);
    }
    return found;
  }

  /* ---- the camera -------------------------------------------------------------------------------------------------- */

  let eye = null; /* its place and axes, and pixels for a unit of slope */
  function aim() {
    const a = camera.azimuth * Math.PI / 180, e = camera.elevation * Math.PI / 180, height = canvas.clientHeight || 1;
    const width = canvas.clientWidth || 1, back = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
    const right = [-Math.sin(a), Math.cos(a), 0], up = cross(back, right), scale = height / 2 / Math.tan(fov / 2);
    if (!camera.fits) camera.fits = fitting(back, right, up, scale, [width / 2 - 80, height / 2 - 60]);
    const distance = camera.fits / camera.zoom;
    eye = {back, right, up, distance, at: along(camera.target, distance, back), width, height, scale};
  }
  /* how far away the whole box is within so many pixels of the middle; it stays while the camera goes round */
  function fitting(back, right, up, scale, room) {
    let distance = 1e-3 * size;
    for (let k = 0; k < 8; k++) {
      const d = along([low, high][k & 1].slice(0, 1).concat([low, high][k >> 1 & 1][1], [low, high][k >> 2][2]), -1, camera.target);
      for (const [axis, half] of [[right, room[0]], [up, room[1]]])
        distance = Math.max(distance, dot(d, back) + Math.abs(dot(d, axis)) * scale / Math.max(half, 50));
    }
    return distance;
  }
  /* pixels, and how far ahead */
  function project(p) {
    const d = along(p, -1, eye.at), ahead = -dot(d, eye.back), s = eye.scale / Math.max(ahead, 1e-3 * eye.distance);
    return [eye.width / 2 + s * dot(d, eye.right), eye.height / 2 - s * dot(d, eye.up), ahead];
  }

  /* ---- drawn by hand: what is far away first ----------------------------------------------------------------------- */

  function facesByDepth(screen) {
    const list = [];
    for (let f = 0; f < nFaces; f++) {
      let area = 0, depth = 0, behind = false;
      for (let i = starts[f]; i < starts[f + 1]; i++) {
        const a = screen[nodes[i]], b = screen[nodes[i + 1 < starts[f + 1] ? i + 1 : starts[f]]];
        area += a[0] * b[1] - b[0] * a[1], depth += a[2] / (starts[f + 1] - starts[f]), behind = behind || a[2] < 1e-2 * eye.distance;
      }
      if (area < 0 && !behind) list.push({f, depth: ground[f] ? Infinity : depth}); /* seen from outside: anticlockwise, and y is down */
    }
    for (let k = 0; k < balls.length; k++) list.push({ball: k, depth: screen[balls[k]][2]});
    return list.sort((a, b) => b.depth - a.depth);
  }
  const shaded = (colour, light) => `rgb(${colour.map(c => Math.round(Math.min(255, c * light))).join(',')})`;
  function drawFace(f, screen, sun) {
    const corners = [];
    for (let i = starts[f]; i < starts[f + 1]; i++) corners.push(nodes[i]);
    let normal = [0, 0, 0];
    for (let i = 2; i < corners.length; i++)
      normal = along(normal, 1, cross(along(point(corners[i - 1]), -1, point(corners[0])), along(point(corners[i]), -1, point(corners[0]))));
    normal = unit(normal);
    context.beginPath();
    corners.forEach((i, k) => (k ? context.lineTo(screen[i][0], screen[i][1]) : context.moveTo(screen[i][0], screen[i][1])));
    context.closePath();
    context.fillStyle = shaded(ground[f] ? groundColour : colourOf(body[corners[0]]), 0.66 + 0.4 * Math.max(0, dot(normal, sun)));
    context.fill();
    context.strokeStyle = ground[f] ? '#aaa' : 'rgba(0,0,0,0.55)', context.lineWidth = nFaces > 4000 ? 0.2 : 0.7;
    context.stroke();
  }
  function strokeLines(pairs, colour, width) {
    context.beginPath();
    for (const [a, b] of pairs) context.moveTo(a[0], a[1]), context.lineTo(b[0], b[1]);
    context.strokeStyle = colour, context.lineWidth = width;
    context.stroke();
  }
  function drawLinks(screen) {
    const pairs = [];
    for (let k = 0; k < lines.length; k += 2) pairs.push([screen[lines[k]], screen[lines[k + 1]]]);
    strokeLines(pairs, '#000', 1.2);
    context.fillStyle = '#fff', context.strokeStyle = '#000';
    for (const i of dots) context.beginPath(), context.arc(screen[i][0], screen[i][1], 3, 0, 7), context.fill(), context.stroke();
  }
  const byHand = {
    name: 'canvas', resize() {}, paint() {}, move() {},
    draw() {
      const screen = Array.from({length: nPoints}, (_, i) => project(point(i)));
      const sun = unit(along(along([0, 0, 1], 0.75, eye.back), -0.75, eye.right));
      for (const {f, ball} of facesByDepth(screen)) {
        if (ball === undefined) { drawFace(f, screen, sun); continue; }
        const [x, y, ahead] = screen[balls[ball]], r = radii[ball] * eye.scale / ahead;
        context.beginPath(), context.arc(x, y, r, 0, 7);
        context.fillStyle = shaded(colourOf(body[balls[ball]]), 0.9), context.fill();
        context.strokeStyle = 'rgba(0,0,0,0.55)', context.lineWidth = 0.5, context.stroke();
      }
      drawLinks(screen);
      const list = forces().map(([a, b]) => [project(a), project(b)]);
      strokeLines(list, '#D55E00', 1.2);
      context.fillStyle = '#D55E00';
      for (const [a, b] of list) {
        const n = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1, t = [(b[0] - a[0]) / n, (b[1] - a[1]) / n], h = Math.min(7, 0.4 * n);
        context.beginPath(), context.moveTo(b[0], b[1]);
        context.lineTo(b[0] - h * t[0] - 0.4 * h * t[1], b[1] - h * t[1] + 0.4 * h * t[0]);
        context.lineTo(b[0] - h * t[0] + 0.4 * h * t[1], b[1] - h * t[1] - 0.4 * h * t[0]), context.fill();
      }
    },
  };

  /* ---- drawn by vtk.js --------------------------------------------------------------------------------------------- */

  function withVtk(vtk, scene) {
    const test = document.createElement('canvas');
    if (!test.getContext('webgl2')) throw new Error('no WebGL');
    const window3d = vtk.vtkRenderWindow.newInstance(), renderer = vtk.vtkRenderer.newInstance({background: [1, 1, 1]});
    const view = vtk.vtkOpenGLRenderWindow.newInstance();
    window3d.addRenderer(renderer), window3d.addView(view), view.setContainer(scene);
    const lens = renderer.getActiveCamera(), shown = [];
    renderer.removeAllLights(), renderer.setAutomaticLightCreation(false);
    const sun = vtk.vtkLight.newInstance({intensity: 0.85, positional: false}), fill = vtk.vtkLight.newInstance({intensity: 0.25, positional: false});
    renderer.addLight(sun), renderer.addLight(fill);
    /* the points of all that moves are the same array: what is drawn of them differs */
    function show(cells, options) {
      const data = vtk.vtkPolyData.newInstance(), mapper = vtk.vtkMapper.newInstance(), actor = vtk.vtkActor.newInstance();
      data.getPoints().setData(world, 3);
      for (const [kind, values] of Object.entries(cells)) data[`get${kind}`]().setData(values);
      mapper.setInputData(data), actor.setMapper(mapper);
      const property = actor.getProperty();
      property.setInterpolationToFlat(), property.setAmbient(0.42), property.setDiffuse(0.6);
      property.set(options);
      renderer.addActor(actor), shown.push({data, actor, mapper});
      return {data, actor, mapper, property};
    }
    function polygonsOf(chosen) {
      const list = [], of = [];
      for (let f = 0; f < nFaces; f++) {
        if (Boolean(ground[f]) !== chosen) continue;
        list.push(starts[f + 1] - starts[f], ...nodes.subarray(starts[f], starts[f + 1])), of.push(body[nodes[starts[f]]]);
      }
      return {cells: Uint32Array.from(list), of};
    }
    const pairs = list => { const out = []; for (let k = 0; k < list.length; k += 2) out.push(2, list[k], list[k + 1]); return Uint32Array.from(out); };
    const free = polygonsOf(false), below = polygonsOf(true), faces = show({Polys: free.cells}, {});
    const rgb = vtk.vtkDataArray.newInstance({name: 'colour', numberOfComponents: 3, values: new Uint8Array(3 * free.of.length)});
    faces.data.getCellData().setScalars(rgb);
    faces.mapper.setScalarModeToUseCellData(), faces.mapper.setColorModeToDirectScalars();
    faces.mapper.setResolveCoincidentTopology(1);
    faces.mapper.setRelativeCoincidentTopologyPolygonOffsetParameters(1, 1);
    const dark = {color: [0.12, 0.12, 0.12], lighting: false, lineWidth: 1};
    show({Lines: pairs(edges)}, dark), show({Lines: pairs(lines)}, {...dark, lineWidth: 2});
    show({Verts: Uint32Array.from([...dots].flatMap(i => [1, i]))}, {...dark, pointSize: 6});
    if (below.cells.length)
      show({Polys: below.cells}, {backfaceCulling: true, color: groundColour.map(c => c / 255), lighting: false});
    const round = balls.length ? showBalls() : null, force = showForces();

    function showBalls() {
      const data = vtk.vtkPolyData.newInstance(), mapper = vtk.vtkSphereMapper.newInstance(), actor = vtk.vtkActor.newInstance();
      const at = new Float32Array(3 * balls.length), values = new Uint8Array(3 * balls.length);
      data.getPoints().setData(at, 3);
      data.getPointData().addArray(vtk.vtkDataArray.newInstance({name: 'radius', numberOfComponents: 1, values: radii}));
      data.getPointData().setScalars(vtk.vtkDataArray.newInstance({name: 'colour', numberOfComponents: 3, values}));
      mapper.setInputData(data), mapper.setScaleArray('radius'), mapper.setColorModeToDirectScalars();
      actor.setMapper(mapper), actor.getProperty().setAmbient(0.42), actor.getProperty().setDiffuse(0.6), renderer.addActor(actor);
      return {data, at, values};
    }
    /* a square shaft and a pyramid */
    function showForces() {
      const data = vtk.vtkPolyData.newInstance(), mapper = vtk.vtkMapper.newInstance(), actor = vtk.vtkActor.newInstance();
      mapper.setInputData(data), actor.setMapper(mapper);
      actor.getProperty().set({color: [0.835, 0.369, 0], ambient: 0.6, diffuse: 0.4});
      actor.getProperty().setInterpolationToFlat();
      renderer.addActor(actor);
      return {data, actor};
    }
    function addForces() {
      const list = forces(), xyz = [], cells = [], thin = 0.0012 * size;
      for (const [a, b] of list) {
        const d = along(b, -1, a), length = Math.hypot(...d), e = unit(d);
        const u = unit(cross(e, Math.abs(e[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])), w = cross(e, u), neck = along(b, -Math.min(10 * thin, 0.4 * length), e);
        const first = xyz.length / 3, ring = (at, r) => [[1, 0], [0, 1], [-1, 0], [0, -1]].forEach(([x, y]) => xyz.push(...along(along(at, r * x, u), r * y, w)));
        ring(a, thin), ring(neck, thin), ring(neck, 3.5 * thin), xyz.push(...b);
        for (let k = 0; k < 4; k++) {
          const n = (k + 1) % 4;
          cells.push(4, first + k, first + n, first + 4 + n, first + 4 + k, 3, first + 8 + k, first + 8 + n, first + 12);
        }
        cells.push(4, first + 8, first + 11, first + 10, first + 9);
      }
      force.actor.setVisibility(list.length > 0);
      faces.property.setOpacity(list.length > 0 ? 0.45 : 1); /* most contacts are between bodies */
      force.data.getPoints().setData(Float32Array.from(xyz), 3), force.data.getPolys().setData(Uint32Array.from(cells));
      force.data.getPoints().modified(), force.data.getPolys().modified(), force.data.modified();
    }
    return {
      name: 'WebGL, vtk.js',
      resize(width, height) { view.setSize(width, height); },
      paint() {
        free.of.forEach((b, k) => rgb.getData().set(colourOf(b), 3 * k));
        rgb.modified(), faces.data.modified();
        balls.forEach((i, k) => round.values.set(colourOf(body[i]), 3 * k));
        if (round) round.data.getPointData().getScalars().modified(), round.data.modified();
      },
      move() {
        for (const {data} of shown) data.getPoints().modified(), data.modified();
        balls.forEach((i, k) => round.at.set(point(i), 3 * k));
        if (round) round.data.getPoints().modified(), round.data.modified();
        addForces();
      },
      draw() {
        lens.setPosition(...eye.at), lens.setFocalPoint(...camera.target), lens.setViewUp(0, 0, 1), lens.setViewAngle(24);
        const from = along(along([0, 0, 1], 0.75, eye.back), -0.75, eye.right);
        for (const [light, at] of [[sun, from], [fill, eye.back]]) light.setFocalPoint(...camera.target), light.setPosition(...along(camera.target, size, unit(at)));
        renderer.resetCameraClippingRange();
        window3d.render();
      },
    };
  }

  /* ---- over either ------------------------------------------------------------------------------------------------- */

  /* round numbers from low to high, about so many */
  function ticks(from, to, count) {
    if (!(to > from)) return [from];
    const rough = (to - from) / Math.max(count, 1), decade = 10 ** Math.floor(Math.log10(rough));
    const step = decade * [1, 2, 5, 10].find(s => s * decade >= rough * (1 - 1e-9)), found = [];
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k++) found.push(k * step);
    return found;
  }
  const short = x => String(Number(x.toPrecision(4)));

  /* one edge of the box along axis k, with its ticks on the side of `outward` */
  function drawAxis(k, from, outward) {
    const to = [...from], middle = [...from];
    to[k] = high[k], middle[k] = (low[k] + high[k]) / 2;
    const a = project(from), b = project(to), m = project(middle), o = project(along(middle, 0.01 * size, outward));
    const n = Math.hypot(o[0] - m[0], o[1] - m[1]) || 1, aside = [(o[0] - m[0]) / n, (o[1] - m[1]) / n];
    context.strokeStyle = '#666', context.lineWidth = 1, context.fillStyle = '#222', context.font = '12px sans-serif';
    context.textAlign = 'center', context.textBaseline = 'middle';
    context.beginPath(), context.moveTo(a[0], a[1]), context.lineTo(b[0], b[1]);
    for (const value of ticks(low[k], high[k], Math.hypot(b[0] - a[0], b[1] - a[1]) / 80)) {
      const p = [...from];
      p[k] = value;
      const [x, y] = project(p);
      context.moveTo(x, y), context.lineTo(x + 5 * aside[0], y + 5 * aside[1]);
      context.fillText(short(value), x + 17 * aside[0], y + 17 * aside[1]);
    }
    context.stroke();
    if (k === 2) context.fillText(run.labels[k], b[0], b[1] - 14);
    else context.fillText(run.labels[k], m[0] + 42 * aside[0], m[1] + 42 * aside[1]);
  }
  function drawAxes() {
    const front = [0, 1, 2].map(k => (eye.back[k] > 0 ? high[k] : low[k])), sign = k => (eye.back[k] > 0 ? 1 : -1);
    if (high[0] > low[0]) drawAxis(0, [low[0], front[1], low[2]], [0, sign(1), -0.3]);
    if (high[1] > low[1]) drawAxis(1, [front[0], low[1], low[2]], [sign(0), 0, -0.3]);
    const upright = [[0, 0], [0, 1], [1, 0], [1, 1]].map(([i, j]) => [[low, high][i][0], [low, high][j][1], low[2]]);
    upright.sort((a, b) => project(a)[0] - project(b)[0]);
    if (high[2] > low[2]) drawAxis(2, upright[0], eye.right.map(x => -x));
  }
  function colourBar(f) {
    const x = eye.width - 74, y = 20, h = eye.height * 0.55, map = maps[f.map], [from, to] = f.shown.map(n => f.low + (f.high - f.low) * n / 65535);
    context.fillStyle = 'rgba(255,255,255,0.8)';
    context.fillRect(x - 24, y - 12, 90, h + 24);
    for (let i = 0; i < 256; i++) {
      context.fillStyle = `rgb(${map[3 * i]},${map[3 * i + 1]},${map[3 * i + 2]})`;
      context.fillRect(x, y + h * (255 - i) / 256, 14, h / 256 + 0.7);
    }
    context.fillStyle = '#222', context.font = '12px sans-serif', context.textAlign = 'left', context.textBaseline = 'middle';
    for (const value of ticks(from, to, h / 50)) context.fillText(short(value), x + 19, y + h * (1 - (value - from) / (to - from)));
    context.save();
    context.translate(x - 10, y + h / 2), context.rotate(-Math.PI / 2), context.textAlign = 'center';
    context.fillText(f.label, 0, 0);
    context.restore();
  }

  /* the body that is nearest below the pointer; -1: none */
  function bodyAt([x, y]) {
    let nearest = Infinity, found = -1;
    for (let f = 0; f < nFaces; f++) {
      if (ground[f]) continue;
      let inside = false, depth = 0;
      const n = starts[f + 1] - starts[f], corners = Array.from({length: n}, (_, i) => project(point(nodes[starts[f] + i])));
      corners.forEach((a, i) => {
        const b = corners[(i + 1) % n];
        depth += a[2] / n;
        if ((a[1] > y) !== (b[1] > y) && x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])) inside = !inside;
      });
      if (inside && depth < nearest) nearest = depth, found = body[nodes[starts[f]]];
    }
    balls.forEach((i, k) => {
      const [px, py, ahead] = project(point(i));
      if (Math.hypot(x - px, y - py) < radii[k] * eye.scale / ahead && ahead < nearest) nearest = ahead, found = body[i];
    });
    return found;
  }
  function say() {
    let text = `t = ${short(run.times[frame])}${run.time_unit}`;
    const f = field(), b = pointer && !timer ? bodyAt(pointer) : -1;
    if (arrows && find('forces').checked) text += `; arrows: contact forces, ${run.forces.largest} is an eighth of the box`;
    if (b >= 0 && b < nBodies) text += `; body ${run.numbers[b]}${f ? `: ${f.label} ${number(f, b).toPrecision(4)}` : ''}`;
    root.querySelector('output').textContent = `${text} (${drawer.name})`;
  }

  let last = null; /* what was drawn: frame, colours, forces */
  function draw() {
    pending = false;
    const ratio = window.devicePixelRatio || 1, width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) canvas.width = width, canvas.height = height, drawer.resize(width, height);
    aim();
    const now = `${frame} ${find('field').value} ${find('forces').checked}`;
    if (now !== last) move(), paint(), drawer.paint(), drawer.move(), last = now;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, eye.width, eye.height);
    drawer.draw();
    drawAxes();
    if (field()) colourBar(field());
    say();
    root.dataset.drawn = String(frame), root.dataset.by = drawer.name;
  }
  const ask = () => { if (!pending) pending = true, requestAnimationFrame(draw); };

  /* ---- controls ---------------------------------------------------------------------------------------------------- */

  function show(k) {
    frame = Math.max(0, Math.min(run.times.length - 1, k));
    find('frame').value = frame;
    ask();
  }
  function play() {
    if (timer) clearInterval(timer), timer = null;
    else timer = setInterval(() => show((frame + 1) % run.times.length), 60);
    find('play').textContent = timer ? 'pause' : 'play';
  }
  const held = new Map(); /* pointers that are down: their places */
  function drag(event) {
    const before = held.get(event.pointerId), now = [event.offsetX, event.offsetY];
    if (!before) { pointer = now; ask(); return; }
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    const other = [...held].find(([id]) => id !== event.pointerId);
    held.set(event.pointerId, now);
    if (other) {
      const gap = p => Math.hypot(p[0] - other[1][0], p[1] - other[1][1]) || 1;
      camera.zoom *= gap(now) / gap(before);
    } else if (event.shiftKey || event.buttons & 6) {
      const s = eye.distance / eye.scale;
      camera.target = along(along(camera.target, -dx * s, eye.right), dy * s, eye.up);
    } else {
      camera.azimuth -= 0.4 * dx, camera.elevation = Math.max(-89, Math.min(89, camera.elevation + 0.4 * dy));
    }
    ask();
  }
  canvas.addEventListener('pointerdown', event => { canvas.setPointerCapture(event.pointerId); held.set(event.pointerId, [event.offsetX, event.offsetY]); });
  for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, event => held.delete(event.pointerId));
  canvas.addEventListener('pointermove', drag);
  canvas.addEventListener('pointerleave', () => { pointer = null; ask(); });
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  canvas.addEventListener('wheel', event => { camera.zoom *= Math.exp(-event.deltaY / 500); event.preventDefault(), ask(); }, {passive: false});
  window.addEventListener('resize', ask);
  fields.forEach((f, k) => find('field').add(new Option(f.label, k)));
  find('field').parentElement.hidden = fields.length === 0;
  find('forces').parentElement.hidden = !arrows;
  find('frame').max = run.times.length - 1;
  find('frame').addEventListener('input', () => show(Number(find('frame').value)));
  for (const name of ['field', 'forces']) find(name).addEventListener('input', ask);
  find('play').addEventListener('click', play);
  find('whole').addEventListener('click', () => { Object.assign(camera, start, {target: low.map((x, k) => (x + high[k]) / 2)}); ask(); });

  function fromAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1)), numberOf = name => (wanted.has(name) ? Number(wanted.get(name)) : NaN);
    const chosen = fields.findIndex(f => f.name === wanted.get('field'));
    find('field').value = chosen >= 0 ? chosen : '';
    find('forces').checked = wanted.get('forces') === '1';
    for (const name of ['azimuth', 'elevation', 'zoom']) if (Number.isFinite(numberOf(name))) camera[name] = numberOf(name);
    camera.fits = 0;
    if (wanted.has('at')) pointer = wanted.get('at').split(',').map(Number);
    const time = Number.isFinite(numberOf('time')) ? numberOf('time') : run.times[run.times.length - 1];
    show(run.times.reduce((best, t, k) => (Math.abs(t - time) < Math.abs(run.times[best] - time) ? k : best), 0));
  }
  move();
  try {
    if (!globalThis.percussVtk || new URLSearchParams(location.hash.slice(1)).get('draw') === 'canvas') throw new Error('not wanted');
    drawer = withVtk(globalThis.percussVtk, root.querySelector('[data-part=scene]'));
  } catch (error) {
    drawer = byHand;
  }
  window.addEventListener('hashchange', fromAddress);
  fromAddress();
}
