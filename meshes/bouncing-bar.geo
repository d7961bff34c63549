// The bar of confined-bar.geo, 10 long and 0.2 wide, in two rows of quadrilaterals: size is their length.
DefineConstant[ size = {0.1, Name "size"} ];
length = 10;
width = 0.2;
rows = 2;
Include "confined-bar.geo";
