// A disc of radius 50 mm that stands on the plane y = 0. Units: m.
//
// size is the length of an edge. A case overrides it with mesh.size, Gmsh with -setnumber size 0.005.
// "rim" is its circle, "disc" the body.
DefineConstant[ size = {0.01, Name "size"} ];
R = 0.05;
Point(1) = {0, R, 0, size};
Point(2) = {R, R, 0, size};
Point(3) = {0, 2 * R, 0, size};
Point(4) = {-R, R, 0, size};
Point(5) = {0, 0, 0, size};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Circle(3) = {4, 1, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Point{1} In Surface{1};
Physical Curve("rim") = {1, 2, 3, 4};
Physical Surface("disc") = {1};
