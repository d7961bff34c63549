// The rock of fault.geo around a shorter fault, |x| < 7.5 km, in squares throughout: |x| < 13.5 km, |y| < 9 km. Waves of a rupture that begins at
// x = 0 come back from these sides after 3 s and more. Units: m.
half = 7500;
width = 13500;
height = 9000;
doubles = 1e12; // edges do not grow
Include "fault.geo";
