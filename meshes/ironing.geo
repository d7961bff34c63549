// A die with a round sole on a slab of 12 x 3: the die is 2 wide and about as high, its sole an arc of radius 2, which touches the slab at x = 0. Without units.
//
// size is the length of an edge of the die; those of the slab are 5/4 of it where the die passes.
DefineConstant[ size = {0.1, Name "size"} ];
radius = 2;
rise = radius - Sqrt(radius^2 - 1);
Point(1) = {-1, rise, 0};
Point(2) = {1, rise, 0};
Point(3) = {1, radius, 0};
Point(4) = {-1, radius, 0};
Point(5) = {0, radius, 0};
Circle(1) = {1, 5, 2};
Line(2) = {2, 3};
Line(3) = {3, 5};
Line(4) = {5, 4};
Line(5) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4, 5};
Plane Surface(1) = {1};
Transfinite Curve{1} = 1 + 2 * Round(1 / size);
Transfinite Curve{3, 4} = 1 + Round(1 / size);
Transfinite Curve{2, 5} = 1 + Round((radius - rise) / size);
Transfinite Surface{1} = {1, 2, 3, 4};

slab = 1.25 * size;
Point(11) = {-3, -3, 0};
Point(12) = {9, -3, 0};
Point(13) = {9, 0, 0};
Point(14) = {-3, 0, 0};
Line(11) = {11, 12};
Line(12) = {12, 13};
Line(13) = {13, 14};
Line(14) = {14, 11};
Curve Loop(11) = {11, 12, 13, 14};
Plane Surface(11) = {11};
Transfinite Curve{11, 13} = 1 + Round(12 / slab);
Transfinite Curve{12, 14} = 1 + Round(3 / slab);
Transfinite Surface{11};
Recombine Surface{1, 11};
Physical Curve("sole") = {1};
Physical Curve("grip") = {3, 4};
Physical Curve("slab") = {13};
Physical Curve("ground") = {11};
Physical Surface("die") = {1};
Physical Surface("slab") = {11};
