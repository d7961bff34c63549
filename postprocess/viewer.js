/* The moving mesh in a page: drawn by hand into a canvas, so that the page needs nothing else.
 *
 * `run` holds what viewer.py has put together: points at the start, triangles, edges, the outputs' times, and for each
 * output the displacement and fields as numbers of two bytes with their ranges; `decode` gives the arrays (page_data.js). The view can be given in the address:
 * report.html#time=0.3&field=velocity&warp=100&at=20,12.5 */
'use strict';
function percussViewer(run, decode, root) {
  const points = decode(run.points, Float32Array), triangles = decode(run.triangles, Uint32Array);
  const edges = decode(run.edges, Uint32Array), border = decode(run.border, Uint32Array);
  const fills = run.fills.map(p => ({colour: p.colour, nodes: decode(p.nodes, Uint32Array), starts: decode(p.starts, Uint32Array)}));
  const shift = decode(run.displacement, Int16Array), nPoints = points.length / 2;
  const fields = run.fields.map(f => ({...f, values: decode(f.values, Uint16Array)}));
  const forces = run.forces ? run.forces.lines.map(place => decode(place, Uint16Array)) : null;
  const maps = Object.fromEntries(Object.entries(run.maps).map(([name, place]) => [name, decode(place, Uint8Array)]));
  const find = name => root.querySelector(`[name=${name}]`);
  const canvas = root.querySelector('canvas'), context = canvas.getContext('2d');
  const moved = new Float64Array(points.length), screen = new Float64Array(points.length);
  let frame = 0, timer = null, zoom = 1, centre = null, pointer = null, pending = false;

  fields.forEach((f, k) => find('field').add(new Option(f.label, k)));
  find('field').parentElement.hidden = fields.length === 0;
  find('frame').max = run.times.length - 1;
  find('mean').checked = run.without_mean;
  for (const name of ['warp', 'mean', 'mesh']) find(name).parentElement.hidden = !run.surface;
  find('forces').parentElement.hidden = !forces;

  const warp = () => (run.surface ? Math.max(Number(find('warp').value) || 0, 0) : 1);
  const field = () => fields[Number(find('field').value)] || null;

  /* where the points are drawn, in the units of the case */
  function move() {
    const first = frame * points.length, keepMean = !find('mean').checked, factor = warp();
    for (let i = 0; i < points.length; i++) {
      const u = shift[first + i] * run.displacement_scale + (keepMean ? run.means[frame][i % 2] : 0);
      moved[i] = points[i] + factor * u;
    }
  }

  /* the rectangle that holds all outputs at this warp */
  function extent() {
    const box = [Infinity, Infinity, -Infinity, -Infinity], factor = warp(), keepMean = !find('mean').checked;
    const add = (x, y) => {
      box[0] = Math.min(box[0], x), box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x), box[3] = Math.max(box[3], y);
    };
    if (run.surface) add(...run.low), add(...run.high);
    if (run.axis) box[0] = Math.min(box[0], 0), box[2] = Math.max(box[2], 0);
    run.reach.forEach(([a, b, c, d], k) => {
      const [x, y] = keepMean ? run.means[k] : [0, 0], [low, high] = [run.low, run.high];
      if (run.surface) {
        add(low[0] + factor * (a + x), low[1] + factor * (b + y));
        add(high[0] + factor * (c + x), high[1] + factor * (d + y));
      } else {
        add(a, b), add(c, d);
      }
    });
    return box;
  }

  /* scale and shift from the case to pixels; the margins hold the axes and the colour bar */
  const left = 62, bottom = 46, top = 14;
  function view(width, height) {
    const right = fields.length && field() ? 112 : 14, box = extent();
    const w = box[2] - box[0] || 1, h = box[3] - box[1] || 1;
    const inner = [width - left - right, height - top - bottom];
    const scale = zoom * 0.94 * Math.min(inner[0] / w, inner[1] / h);
    const middle = centre || [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    return {scale, x: left + inner[0] / 2 - scale * middle[0], y: top + inner[1] / 2 + scale * middle[1], right, inner, middle};
  }

  /* the colour of a value: an index of the map's 256 */
  const colourIndex = t => Math.max(0, Math.min(255, Math.floor(t * 256)));

  function fillTriangles(image, f, ratio) {
    const pixels = new Uint32Array(image.data.buffer), map = maps[f.map], colours = new Uint32Array(256);
    for (let i = 0; i < 256; i++) colours[i] = 0xff000000 | (map[3 * i + 2] << 16) | (map[3 * i + 1] << 8) | map[3 * i];
    const perPoint = f.place === 'points', first = frame * (perPoint ? nPoints : triangles.length / 3);
    const v = new Float64Array(3), span = 1 / (f.shown[1] - f.shown[0]), zero = f.shown[0];
    for (let k = 0; k < triangles.length; k += 3) {
      const a = 2 * triangles[k], b = 2 * triangles[k + 1], c = 2 * triangles[k + 2];
      for (let i = 0; i < 3; i++)
        v[i] = ((perPoint ? f.values[first + triangles[k + i]] : f.values[first + k / 3]) - zero) * span;
      const ax = screen[a] * ratio, ay = screen[a + 1] * ratio, bx = screen[b] * ratio, by = screen[b + 1] * ratio;
      const cx = screen[c] * ratio, cy = screen[c + 1] * ratio, area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
      if (!area) continue;
      const rows = [Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5)),
                    Math.min(image.height - 1, Math.floor(Math.max(ay, by, cy) - 0.5))];
      const columns = [Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5)),
                       Math.min(image.width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5))];
      for (let y = rows[0]; y <= rows[1]; y++)
        for (let x = columns[0]; x <= columns[1]; x++) {
          const px = x + 0.5, py = y + 0.5;
          const B = ((px - ax) * (cy - ay) - (py - ay) * (cx - ax)) / area;
          const C = ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) / area;
          if (B < -1e-9 || C < -1e-9 || B + C > 1 + 1e-9) continue;
          pixels[y * image.width + x] = colours[colourIndex(v[0] + B * (v[1] - v[0]) + C * (v[2] - v[0]))];
        }
    }
  }

  function stroke(lines, where, style, width) {
    context.beginPath();
    for (let k = 0; k < lines.length; k += 2) {
      context.moveTo(where[2 * lines[k]], where[2 * lines[k] + 1]);
      context.lineTo(where[2 * lines[k + 1]], where[2 * lines[k + 1] + 1]);
    }
    context.strokeStyle = style, context.lineWidth = width, context.lineCap = 'round';
    context.stroke();
  }

  /* polygons of one colour: polygon k has the nodes from starts[k] up to starts[k + 1] */
  function fillPolygons({colour, nodes, starts}) {
    context.beginPath();
    for (let k = 0; k + 1 < starts.length; k++) {
      for (let i = starts[k]; i < starts[k + 1]; i++) {
        const x = screen[2 * nodes[i]], y = screen[2 * nodes[i] + 1];
        if (i === starts[k]) context.moveTo(x, y);
        else context.lineTo(x, y);
      }
      context.closePath();
    }
    context.fillStyle = colour;
    context.fill();
  }

  /* from centre to centre, as wide as the force is strong; lines of about one width in one stroke */
  function drawForces(list) {
    const groups = new Map(), {low, span} = run.forces;
    const px = n => at.x + at.scale * (low[0] + span[0] * n / 65535), py = n => at.y - at.scale * (low[1] + span[1] * n / 65535);
    for (let k = 0; k < list.length; k += 5) {
      const width = Math.max(0.25, Math.round(list[k + 4] / 1000) / 4);
      if (!groups.has(width)) groups.set(width, []);
      groups.get(width).push(k);
    }
    context.strokeStyle = '#D55E00', context.lineCap = 'round';
    groups.forEach((lines, width) => {
      context.beginPath();
      for (const k of lines) {
        context.moveTo(px(list[k]), py(list[k + 1]));
        context.lineTo(px(list[k + 2]), py(list[k + 3]));
      }
      context.lineWidth = width;
      context.stroke();
    });
  }

  /* round numbers from low to high, about so many */
  function ticks(low, high, count) {
    const rough = (high - low) / count, decade = 10 ** Math.floor(Math.log10(rough));
    const step = decade * [1, 2, 5, 10].find(s => s * decade >= rough);
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
    return found;
  }
  const short = x => String(Number(x.toPrecision(4)));

  /* that of a body of revolution */
  function drawAxis(at, height) {
    context.beginPath();
    context.setLineDash([9, 3, 2, 3]);
    context.moveTo(at.x, top), context.lineTo(at.x, height - bottom);
    context.stroke();
    context.setLineDash([]);
  }

  function axes(at, width, height) {
    context.clearRect(0, height - bottom, width, bottom);
    context.clearRect(0, 0, left, height);
    context.clearRect(0, 0, width, top);
    context.clearRect(width - at.right, 0, at.right, height);
    context.fillStyle = '#222', context.strokeStyle = '#666', context.lineWidth = 1, context.font = '13px sans-serif';
    context.beginPath();
    context.moveTo(left, top), context.lineTo(left, height - bottom), context.lineTo(width - at.right, height - bottom);
    context.textAlign = 'center', context.textBaseline = 'top';
    for (const x of ticks((left - at.x) / at.scale, (width - at.right - at.x) / at.scale, at.inner[0] / 90)) {
      const px = at.x + x * at.scale;
      context.moveTo(px, height - bottom), context.lineTo(px, height - bottom + 5);
      context.fillText(short(x), px, height - bottom + 8);
    }
    context.textAlign = 'right', context.textBaseline = 'middle';
    for (const y of ticks((at.y - height + bottom) / at.scale, (at.y - top) / at.scale, at.inner[1] / 60)) {
      const py = at.y - y * at.scale;
      context.moveTo(left - 5, py), context.lineTo(left, py);
      context.fillText(short(y), left - 8, py);
    }
    context.stroke();
    if (run.axis) drawAxis(at, height);
    context.textAlign = 'center', context.textBaseline = 'bottom';
    context.fillText(run.x_label, left + at.inner[0] / 2, height - 2);
    context.save();
    context.translate(13, top + at.inner[1] / 2), context.rotate(-Math.PI / 2), context.textBaseline = 'middle';
    context.fillText(run.y_label, 0, 0);
    context.restore();
  }

  const real = (f, number) => f.low + (f.high - f.low) * number / f.full;

  function colourBar(f, width, height) {
    const x = width - 92, y = top + 6, h = height - top - bottom - 12, map = maps[f.map];
    for (let i = 0; i < 256; i++) {
      context.fillStyle = `rgb(${map[3 * i]},${map[3 * i + 1]},${map[3 * i + 2]})`;
      context.fillRect(x, y + h * (255 - i) / 256, 14, h / 256 + 0.7);
    }
    const [low, high] = f.shown.map(n => real(f, n));
    context.fillStyle = '#222', context.font = '13px sans-serif', context.textAlign = 'left', context.textBaseline = 'middle';
    for (const value of ticks(low, high, h / 50))
      context.fillText(short(value), x + 19, y + h * (1 - (value - low) / (high - low)));
    context.save();
    context.translate(width - 9, y + h / 2), context.rotate(-Math.PI / 2), context.textAlign = 'center';
    context.fillText(f.label, 0, 0);
    context.restore();
  }

  /* the value of the field at a place of the picture, interpolated as it is drawn; null outside the body */
  function valueAt(f, x, y) {
    const perPoint = f.place === 'points', first = frame * (perPoint ? nPoints : triangles.length / 3);
    for (let k = 0; k < triangles.length; k += 3) {
      const [a, b, c] = [2 * triangles[k], 2 * triangles[k + 1], 2 * triangles[k + 2]];
      const ux = moved[b] - moved[a], uy = moved[b + 1] - moved[a + 1], vx = moved[c] - moved[a], vy = moved[c + 1] - moved[a + 1];
      const dx = x - moved[a], dy = y - moved[a + 1], area = ux * vy - uy * vx;
      const B = (dx * vy - dy * vx) / area, C = (ux * dy - uy * dx) / area;
      if (!(B >= -1e-9 && C >= -1e-9 && B + C <= 1 + 1e-9)) continue;
      if (!perPoint) return real(f, f.values[first + k / 3]);
      const v = [0, 1, 2].map(i => f.values[first + triangles[k + i]]);
      return real(f, v[0] + B * (v[1] - v[0]) + C * (v[2] - v[0]));
    }
    return null;
  }

  function say(f) {
    let text = `t = ${short(run.times[frame])}${run.time_unit}`;
    if (run.surface) text += `, ${find('mean').checked ? '(displacement − mean translation)' : 'displacement'} × ${short(warp())}`;
    if (forces && find('forces').checked) text += `, lines: normal forces, ${run.forces.width} pixels for ${run.forces.largest}`;
    if (f && pointer) {
      const value = valueAt(f, pointer[0], pointer[1]);
      if (value !== null) text += `; ${f.label}: ${value.toPrecision(4)} at (${short(pointer[0])}, ${short(pointer[1])})`;
    }
    root.querySelector('output').textContent = text;
  }

  let at = null;
  function draw() {
    pending = false;
    const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight, f = field();
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    at = view(width, height);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    const start = Float64Array.from(points, (p, i) => (i % 2 ? at.y - at.scale * p : at.x + at.scale * p));
    move();
    for (let i = 0; i < points.length; i++) screen[i] = i % 2 ? at.y - at.scale * moved[i] : at.x + at.scale * moved[i];
    if (f && triangles.length) {
      const image = context.createImageData(canvas.width, canvas.height);
      fillTriangles(image, f, ratio);
      context.putImageData(image, 0, 0);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const many = !run.surface && edges.length > 20000;
    if (!many) stroke(border, start, '#999', 1);
    fills.forEach(fillPolygons);
    if (run.surface) stroke(border, screen, '#333', 0.8);
    if (!run.surface) stroke(edges, screen, '#000', many ? 0.4 : fills.length ? 1.2 : 2);
    else if (find('mesh').checked) stroke(edges, screen, 'rgba(0,0,0,0.35)', 0.5);
    if (forces && find('forces').checked) drawForces(forces[frame]);
    axes(at, width, height);
    if (f) colourBar(f, width, height);
    say(f);
    root.dataset.drawn = String(frame);
  }
  const ask = () => { if (!pending) pending = true, requestAnimationFrame(draw); };

  function show(k) {
    frame = Math.max(0, Math.min(run.times.length - 1, k));
    find('frame').value = frame;
    ask();
  }
  function play() {
    if (timer) clearInterval(timer), timer = null;
    else timer = setInterval(() => show((frame + 1) % run.times.length), 80);
    find('play').textContent = timer ? 'pause' : 'play';
  }
  const place = event => [(event.offsetX - at.x) / at.scale, (at.y - event.offsetY) / at.scale];

  find('frame').addEventListener('input', () => show(Number(find('frame').value)));
  for (const name of ['field', 'warp', 'mean', 'mesh', 'forces']) find(name).addEventListener('input', ask);
  find('play').addEventListener('click', play);
  find('whole').addEventListener('click', () => { zoom = 1, centre = null; ask(); });
  canvas.addEventListener('wheel', event => {
    const here = place(event), factor = Math.exp(-event.deltaY / 400), old = at.middle;
    zoom *= factor;
    centre = [here[0] + (old[0] - here[0]) / factor, here[1] + (old[1] - here[1]) / factor];
    event.preventDefault(), ask();
  }, {passive: false});
  canvas.addEventListener('pointermove', event => {
    pointer = place(event);
    if (event.buttons) centre = [at.middle[0] - event.movementX / at.scale, at.middle[1] + event.movementY / at.scale];
    ask();
  });
  canvas.addEventListener('pointerleave', () => { pointer = null; ask(); });
  window.addEventListener('resize', ask);

  function fromAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    find('warp').value = wanted.has('warp') ? Number(wanted.get('warp')) : run.warp;
    const chosen = fields.findIndex(f => f.name === wanted.get('field'));
    if (chosen >= 0) find('field').value = chosen;
    if (wanted.has('forces')) find('forces').checked = wanted.get('forces') !== '0';
    if (wanted.has('mean')) find('mean').checked = wanted.get('mean') === 'without';
    if (wanted.has('at')) pointer = wanted.get('at').split(',').map(Number);
    const time = wanted.has('time') ? Number(wanted.get('time')) : run.times[run.times.length - 1];
    show(run.times.reduce((best, t, k) => (Math.abs(t - time) < Math.abs(run.times[best] - time) ? k : best), 0));
  }
  window.addEventListener('hashchange', fromAddress);
  fromAddress();
}
