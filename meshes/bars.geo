// Two bars along x, 0.2 m long and 0.02 m wide, with a gap of 1 mm between them. Units: m.
//
// size is the length of an edge along the bars. The left one has two rows of quadrilaterals, the right one three, so that the nodes of their ends
// do not meet.
DefineConstant[ size = {0.005, Name "size"} ];
length = 0.2;
width = 0.02;
gap = 1e-3;
For bar In {0:1}
  x = bar * gap + (bar - 1) * length;
  p = 10 * bar;
  Point(p + 1) = {x, 0, 0};
  Point(p + 2) = {x + length, 0, 0};
  Point(p + 3) = {x + length, width, 0};
  Point(p + 4) = {x, width, 0};
  Line(p + 1) = {p + 1, p + 2};
  Line(p + 2) = {p + 2, p + 3};
  Line(p + 3) = {p + 3, p + 4};
  Line(p + 4) = {p + 4, p + 1};
  Curve Loop(p + 1) = {p + 1, p + 2, p + 3, p + 4};
  Plane Surface(p + 1) = {p + 1};
  Transfinite Curve{p + 1, p + 3} = 1 + Round(length / size);
  Transfinite Curve{p + 2, p + 4} = 3 + bar;
  Transfinite Surface{p + 1};
  Recombine Surface{p + 1};
EndFor
Physical Curve("left end") = {2};   // of the left bar, and
Physical Curve("right end") = {14}; // of the right one, where they meet
Physical Curve("walls") = {1, 3, 11, 13};
Physical Surface("left") = {1};
Physical Surface("right") = {11};
