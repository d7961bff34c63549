// A wedge of 4 x 2 m with a slope of 1 in 10 below it, on a base that rises by as much. Units: m.
//
// size is the length of an edge of the wedge; those of the base are 3/2 of it. "back" is the side of the wedge that is pushed, on the left;
// "sole" is what slides on "slope".
DefineConstant[ size = {0.25, Name "size"} ];
rise = 0.1;
Point(1) = {1, rise, 0};
Point(2) = {5, 5 * rise, 0};
Point(3) = {5, 2 + rise, 0};
Point(4) = {1, 2 + rise, 0};
Point(11) = {0, -1, 0};
Point(12) = {8, -1, 0};
Point(13) = {8, 8 * rise, 0};
Point(14) = {0, 0, 0};
For part In {0:1}
  p = 10 * part;
  edge = size * (1 + part / 2);
  Line(p + 1) = {p + 1, p + 2};
  Line(p + 2) = {p + 2, p + 3};
  Line(p + 3) = {p + 3, p + 4};
  Line(p + 4) = {p + 4, p + 1};
  Curve Loop(p + 1) = {p + 1, p + 2, p + 3, p + 4};
  Plane Surface(p + 1) = {p + 1};
  Transfinite Curve{p + 1, p + 3} = 1 + Ceil((part == 0 ? 4 : 8) / edge);
  Transfinite Curve{p + 2, p + 4} = 1 + Ceil((part == 0 ? 2 : 1) / edge);
  Transfinite Surface{p + 1};
  Recombine Surface{p + 1};
EndFor
Physical Curve("sole") = {1};
Physical Curve("back") = {4};
Physical Curve("top") = {3};
Physical Curve("slope") = {13};
Physical Curve("ground") = {11};
Physical Surface("wedge") = {1};
Physical Surface("base") = {11};
