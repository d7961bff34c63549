// The half cylinder of cylinder.geo in 6-node triangles: what is nearly incompressible locks 3-node ones.
Include "cylinder.geo";
Mesh.ElementOrder = 2;
Mesh.HighOrderOptimize = 0;
