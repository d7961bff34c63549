// A block of 0.1 m x 0.05 m on a plane that falls towards +x by `angle` degrees; the lower left corner of the block is
// at the origin, through which the plane goes. Units: m.
//
// size is the length of an edge in m; a case overrides it with mesh.size, Gmsh with -setnumber size 0.005.
// The boundary is named by its sides as if the block were lying flat; the body is the surface "block".
DefineConstant[ size = {0.01, Name "size"} ];
angle = 20;
width = 0.1;
height = 0.05;

// along: down the plane; up: its normal
ax = Cos(angle*Pi/180);
ay = -Sin(angle*Pi/180);
nx = Sin(angle*Pi/180);
ny = Cos(angle*Pi/180);

Point(1) = {0, 0, 0, size};
Point(2) = {width*ax, width*ay, 0, size};
Point(3) = {width*ax + height*nx, width*ay + height*ny, 0, size};
Point(4) = {height*nx, height*ny, 0, size};
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
