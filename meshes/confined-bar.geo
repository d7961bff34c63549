// A bar along x, 0.2 m long and 0.02 m wide, in four rows of quadrilaterals. A file that includes this one may set other numbers before.
//
// size is the length of an edge along the bar.
DefineConstant[ size = {0.0025, Name "size"}, length = 0.2, width = 0.02, rows = 4 ];
Point(1) = {0, 0, 0};
Point(2) = {length, 0, 0};
Point(3) = {length, width, 0};
Point(4) = {0, width, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve{1, 3} = 1 + Round(length / size);
Transfinite Curve{2, 4} = 1 + rows;
Transfinite Surface{1};
Recombine Surface{1};
Physical Curve("near") = {4};
Physical Curve("far") = {2};
Physical Curve("walls") = {1, 3};
Physical Surface("bar") = {1};
