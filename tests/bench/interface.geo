// Two strips of 100 mm x 5 mm on one another, 1 000 x 50 squares each: 204 204 unknowns, 1 001 nodes where they touch. Units: mm.
For part In {0:1}
  p = 10 * part;
  y = -5 * part;
  Point(p + 1) = {0, y, 0};
  Point(p + 2) = {100, y, 0};
  Point(p + 3) = {100, y + 5, 0};
  Point(p + 4) = {0, y + 5, 0};
  Line(p + 1) = {p + 1, p + 2};
  Line(p + 2) = {p + 2, p + 3};
  Line(p + 3) = {p + 3, p + 4};
  Line(p + 4) = {p + 4, p + 1};
  Curve Loop(p + 1) = {p + 1, p + 2, p + 3, p + 4};
  Plane Surface(p + 1) = {p + 1};
  Transfinite Curve{p + 1, p + 3} = 1001;
  Transfinite Curve{p + 2, p + 4} = 51;
  Transfinite Surface{p + 1};
  Recombine Surface{p + 1};
EndFor
Physical Curve("low") = {13};
Physical Curve("high") = {1};
Physical Curve("top") = {3};
Physical Curve("ground") = {11};
Physical Surface("upper") = {1};
Physical Surface("lower") = {11};
