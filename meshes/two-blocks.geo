// The sliding block of block.geo, 40 mm x 25 mm, on a floor of 80 mm x 25 mm that reaches 20 mm further on both sides. Units: mm.
//
// size is the length of an edge of the block; those of the floor are 5/4 of it.
DefineConstant[ size = {1, Name "size"} ];
For part In {0:1}
  p = 10 * part;
  edge = size * (1 + part / 4);
  x = -20 * part;
  y = -25 * part;
  width = 40 * (1 + part);
  Point(p + 1) = {x, y, 0};
  Point(p + 2) = {x + width, y, 0};
  Point(p + 3) = {x + width, y + 25, 0};
  Point(p + 4) = {x, y + 25, 0};
  Line(p + 1) = {p + 1, p + 2};
  Line(p + 2) = {p + 2, p + 3};
  Line(p + 3) = {p + 3, p + 4};
  Line(p + 4) = {p + 4, p + 1};
  Curve Loop(p + 1) = {p + 1, p + 2, p + 3, p + 4};
  Plane Surface(p + 1) = {p + 1};
  Transfinite Curve{p + 1, p + 3} = 1 + Round(width / edge);
  Transfinite Curve{p + 2, p + 4} = 1 + Round(25 / edge);
  Transfinite Surface{p + 1};
  Recombine Surface{p + 1};
EndFor
Physical Curve("bottom") = {1};
Physical Curve("right") = {2};
Physical Curve("top") = {3};
Physical Curve("left") = {4};
Physical Curve("floor") = {13};
Physical Curve("ground") = {11};
Physical Surface("block") = {1};
Physical Surface("floor") = {11};
