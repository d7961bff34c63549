// The section of a shaft in a hub through the axis, x the radius and y along: the hollow shaft from 10 to 20 mm, the hub from 20 to 40 mm, 10 mm of both.
// They fit. Units: mm.
//
// size is the length of an edge in the shaft; edges of the hub along the axis are 3/2 of it.
DefineConstant[ size = {0.5, Name "size"} ];
height = 10;
For part In {0:1}
  inner = part == 0 ? 10 : 20;
  outer = part == 0 ? 20 : 40;
  p = 10 * part;
  Point(p + 1) = {inner, 0, 0};
  Point(p + 2) = {outer, 0, 0};
  Point(p + 3) = {outer, height, 0};
  Point(p + 4) = {inner, height, 0};
  Line(p + 1) = {p + 1, p + 2};
  Line(p + 2) = {p + 2, p + 3};
  Line(p + 3) = {p + 3, p + 4};
  Line(p + 4) = {p + 4, p + 1};
  Curve Loop(p + 1) = {p + 1, p + 2, p + 3, p + 4};
  Plane Surface(p + 1) = {p + 1};
  Transfinite Curve{p + 1, p + 3} = 1 + Round((outer - inner) / size);
  Transfinite Curve{p + 2, p + 4} = 1 + Ceil(height / (size * (1 + part / 2)));
  Transfinite Surface{p + 1};
  Recombine Surface{p + 1};
EndFor
Physical Curve("shaft") = {2};
Physical Curve("hub") = {14};
Physical Curve("bore") = {4};
Physical Curve("ends") = {1, 3, 11, 13};
Physical Surface("shaft") = {1};
Physical Surface("hub") = {11};
