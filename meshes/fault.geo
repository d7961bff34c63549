// A rectangle of rock around a straight fault: |x| < 33 km, |y| < 24 km; the fault is |x| < 15 km on y = 0. Units: m.
//
// size is the length of an edge on the fault; a case overrides it with mesh.size, Gmsh with -setnumber size 100. It should divide 1500 m:
// then there are nodes at the ends of the fault, where the stress on it jumps, and at the stations of TPV205. Everything is squares along the
// fault; away from it, and beyond its ends, edges grow with the distance, in proportion to size, to twice that within 7.5 km.
//
// "fault" is a curve inside the rock, whose nodes a case splits (contacts.<name>.split: fault); "sides" is the boundary, and "rock" all of it.
// fault-small.geo is the same for another fault.
DefineConstant[ size = {150, Name "size"} ];
DefineConstant[ half = 15000, width = 33000, height = 24000, doubles = 7500 ];
grows = 1 + size / doubles;                                       // each edge against the one before
along = Round(2 * half / size);
beyond = Round(Log(1 + (width - half) / doubles) / Log(grows));   // edges beyond an end
away = Round(Log(1 + height / doubles) / Log(grows));             // and on a side

// three rows of four points, each from left to right: below, on and above the fault
For row In {0:2}
  y = (row - 1) * height;
  Point(4 * row + 1) = {-width, y, 0};
  Point(4 * row + 2) = {-half, y, 0};
  Point(4 * row + 3) = {half, y, 0};
  Point(4 * row + 4) = {width, y, 0};
  Line(10 * row + 1) = {4 * row + 2, 4 * row + 1}; // from the fault outwards
  Line(10 * row + 2) = {4 * row + 2, 4 * row + 3};
  Line(10 * row + 3) = {4 * row + 3, 4 * row + 4};
  Transfinite Curve{10 * row + 1, 10 * row + 3} = 1 + beyond Using Progression grows;
  Transfinite Curve{10 * row + 2} = 1 + along;
EndFor
For column In {1:4}
  Line(30 + column) = {4 + column, column};     // downwards from y = 0
  Line(40 + column) = {4 + column, 8 + column}; // upwards
  Transfinite Curve{30 + column, 40 + column} = 1 + away Using Progression grows;
EndFor

Curve Loop(1) = {-1, -32, 11, 31};
Curve Loop(2) = {2, -33, -12, 32};
Curve Loop(3) = {3, -34, -13, 33};
Curve Loop(4) = {-11, 42, 21, -41};
Curve Loop(5) = {12, 43, -22, -42};
Curve Loop(6) = {13, 44, -23, -43};
For part In {1:6}
  Plane Surface(part) = {part};
  Transfinite Surface{part};
  Recombine Surface{part};
EndFor

Physical Curve("fault") = {12};
Physical Curve("sides") = {1, 2, 3, 34, 44, 23, 22, 21, 41, 31};
Physical Surface("rock") = {1, 2, 3, 4, 5, 6};
