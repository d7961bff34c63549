// The lower half of a cylinder of radius 10 mm that stands on the plane y = 0, for contact on a small part of it. Units: mm.
//
// size is the length of an edge within 1.2 mm of the point of first contact; further away edges grow with a third of the
// distance, up to 2.5 mm. A case overrides it with mesh.size, Gmsh with -setnumber size 0.05.
//
// "contact" is the arc within about 1 mm of the point of first contact, "sides" the rest of the arc, "top" the flat diameter;
// the body is the surface "cylinder".
DefineConstant[ size = {0.05, Name "size"} ];
radius = 10;
half = 1;       // half the width of the arc that may touch
fine = 1.2;     // how far the fine edges reach
angle = Asin(half / radius);

Point(1) = {0, radius, 0};
Point(2) = {-radius, radius, 0};
Point(3) = {-half, radius - radius * Cos(angle), 0};
Point(4) = {0, 0, 0};
Point(5) = {half, radius - radius * Cos(angle), 0};
Point(6) = {radius, radius, 0};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Circle(3) = {4, 1, 5};
Circle(4) = {5, 1, 6};
Line(5) = {6, 1};
Line(6) = {1, 2};
Curve Loop(1) = {1, 2, 3, 4, 5, 6};
Plane Surface(1) = {1};

Field[1] = MathEval;
Field[1].F = Sprintf("%g + Max(0, Sqrt(x*x + y*y) - %g) / 3", size, fine);
Field[2] = MathEval;
Field[2].F = "2.5";
Field[3] = Min;
Field[3].FieldsList = {1, 2};
Background Field = 3;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;

Physical Curve("sides") = {1, 4};
Physical Curve("contact") = {2, 3};
Physical Curve("top") = {5, 6};
Physical Surface("cylinder") = {1};
