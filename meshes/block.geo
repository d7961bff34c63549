// The sliding block of the examples: 40 mm x 25 mm, its lower left corner at the origin. Units: mm.
//
// size is the length of an edge in mm; a case overrides it with mesh.size, Gmsh with -setnumber size 0.5.
// size 1 gives 1227 nodes and 2322 triangles (Gmsh 4.8.4, algorithm 6).
//
// The boundary is named by its sides, anticlockwise from below; the body is the surface "block".
DefineConstant[ size = {1, Name "size"} ];
width = 40;
height = 25;

Point(1) = {0, 0, 0, size};
Point(2) = {width, 0, 0, size};
Point(3) = {width, height, 0, size};
Point(4) = {0, height, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

Physical Curve("bottom") = {1};
Physical Curve("right") = {2};
Physical Curve("top") = {3};
Physical Curve("left") = {4};
Physical Surface("block") = {1};
