// A block from (-15, -20) to (15, 0), fine around the origin: a piece of a half-space under a load at its surface. Units: mm.
//
// size is the length of an edge where |x| < 1.1 on the upper edge; further away edges grow up to 3 mm. A case overrides it with mesh.size,
// Gmsh with -setnumber size 0.025.
//
// "surface" is the fine part of the upper edge, "bottom" the lower edge; the body is the surface "block".
DefineConstant[ size = {0.05, Name "size"} ];
width = 30;
depth = 20;
half = 1.1;   // of the fine part
coarse = 3;

Point(1) = {-width/2, -depth, 0, coarse};
Point(2) = {width/2, -depth, 0, coarse};
Point(3) = {width/2, 0, 0, coarse};
Point(4) = {half, 0, 0, size};
Point(5) = {-half, 0, 0, size};
Point(6) = {-width/2, 0, 0, coarse};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Curve Loop(1) = {1, 2, 3, 4, 5, 6};
Plane Surface(1) = {1};

Physical Curve("bottom") = {1};
Physical Curve("surface") = {4};
Physical Surface("block") = {1};
