// The upper half of a cylinder of radius 50 mm below and the lower half of another above, which touch at the origin. Units: mm.
//
// size is the length of an edge of the upper one within 1.2 mm of the origin; those of the lower one are 5/4 of it, so that nodes do not meet.
// Further away edges grow with a third of the distance, up to 12 mm.
//
// "upper" and "lower" are also the arcs within about 1 mm of the origin; "press" is the flat side of the upper half, "base" that of the lower.
DefineConstant[ size = {0.05, Name "size"} ];
radius = 50;
half = 1; // half the width of the arcs that may touch
rise = radius - Sqrt(radius^2 - half^2);
For part In {0:1}
  s = 1 - 2 * part; // above, then below
  p = 10 * part;
  Point(p + 1) = {0, s * radius, 0};
  Point(p + 2) = {-s * radius, s * radius, 0};
  Point(p + 3) = {-s * half, s * rise, 0};
  Point(p + 4) = {0, 0, 0};
  Point(p + 5) = {s * half, s * rise, 0};
  Point(p + 6) = {s * radius, s * radius, 0};
  Circle(p + 1) = {p + 2, p + 1, p + 3};
  Circle(p + 2) = {p + 3, p + 1, p + 4};
  Circle(p + 3) = {p + 4, p + 1, p + 5};
  Circle(p + 4) = {p + 5, p + 1, p + 6};
  Line(p + 5) = {p + 6, p + 1};
  Line(p + 6) = {p + 1, p + 2};
  Curve Loop(p + 1) = {p + 1, p + 2, p + 3, p + 4, p + 5, p + 6};
  Plane Surface(p + 1) = {p + 1};
  Field[1 + part] = MathEval;
  Field[1 + part].F = Sprintf("Min(12, %g + Max(0, Sqrt(x*x + y*y) - 1.2) / 3)", size * (1 + part / 4));
  Field[3 + part] = Restrict;
  Field[3 + part].IField = 1 + part;
  Field[3 + part].SurfacesList = {p + 1};
  Field[3 + part].CurvesList = {p + 1, p + 2, p + 3, p + 4, p + 5, p + 6};
  Field[3 + part].PointsList = {p + 1, p + 2, p + 3, p + 4, p + 5, p + 6};
EndFor
Field[5] = Min;
Field[5].FieldsList = {3, 4};
Background Field = 5;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;
Physical Curve("upper") = {2, 3};
Physical Curve("lower") = {12, 13};
Physical Curve("press") = {5, 6};
Physical Curve("base") = {15, 16};
Physical Surface("upper") = {1};
Physical Surface("lower") = {11};
