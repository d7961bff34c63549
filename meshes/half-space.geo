// A block from (-width/2, -depth) to (width/2, 0), fine around the origin: a piece of a half-space under a load at its surface.
// Lengths in mm; change them with percuss: --set mesh.size=0.05 is the edge in the fine zone.
DefineConstant[ size = {0.05, Name "size"} ];
width = 30;
depth = 20;
half = 1.1;   // of the fine zone: from -half to half
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
