// A unit square. `element`, which a file that includes this one sets before, is 3 or 6 for triangles, 4, 8 or 9 for quadrilaterals.
DefineConstant[ size = {0.25, Name "size"}, element = 3 ];
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {1, 1, 0};
Point(4) = {0, 1, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve{1, 2, 3, 4} = 1 + Round(1 / size);
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
Physical Surface("square") = {1};
