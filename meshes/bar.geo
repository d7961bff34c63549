// A bar along x, 10 long, in one row of quadrilaterals: size is their length. What moves in it by a field of x alone is a line of linear
// elements. It is thin (a case makes up for it by the thickness): then nothing but such fields can move within a step, also where contact
// chatters.
DefineConstant[ size = {0.05, Name "size"}, width = {0.01, Name "width"} ];
Point(1) = {0, 0, 0};
Point(2) = {10, 0, 0};
Point(3) = {10, width, 0};
Point(4) = {0, width, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve{1, 3} = 1 + Round(10 / size);
Transfinite Curve{2, 4} = 2;
Transfinite Surface{1};
Recombine Surface{1};
Physical Curve("near") = {4};
Physical Curve("far") = {2};
Physical Surface("bar") = {1};
