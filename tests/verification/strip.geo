// A rectangle in regular cells. A file that includes this one sets before: `element` (3 or 6 for triangles, 4, 8 or 9 for quadrilaterals),
// `width`, `height`, and `across`, the cells along the width, or 0 for as many as size asks.
DefineConstant[ size = {0.25, Name "size"}, element = 4, width = 1, height = 10, across = 0 ];
If (across == 0)
  across = Round(width / size);
EndIf
Point(1) = {0, 0, 0};
Point(2) = {width, 0, 0};
Point(3) = {width, height, 0};
Point(4) = {0, height, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve{1, 3} = 1 + across;
Transfinite Curve{2, 4} = 1 + Round(height / size);
Transfinite Surface{1};
If (element == 4 || element > 6)
  Recombine Surface{1};
EndIf
If (element > 4)
  Mesh.ElementOrder = 2;
EndIf
Mesh.SecondOrderIncomplete = (element == 8);
Physical Curve("bottom") = {1};
Physical Curve("right") = {2};
Physical Curve("top") = {3};
Physical Curve("left") = {4};
Physical Surface("body") = {1};
