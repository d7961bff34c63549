# PRC_PETSC: looks for PETSc and its MPI as --with-petsc says. Gives PETSC_CPPFLAGS, PETSC_LIBS, PETSC_CONFIGURE (the option that finds the same
# again), petsc_summary, PRC_HAVE_PETSC and the condition HAVE_PETSC.
#
# Their headers are the system's, not ours to warn of; of PETSc's flags only folders and definitions are taken, without Debian's hardening.
# MPI_CFLAGS and MPI_LIBS may be given; else pkg-config or mpicc knows them.

# PRC_PETSC_FLAGS(VARIABLE, flags): folders of headers and definitions of some flags
AC_DEFUN([PRC_PETSC_FLAGS], [
  for petsc_flag in $2; do
    AS_CASE([$petsc_flag],
      [-I/usr/include | -D_FORTIFY_SOURCE*], [],
      [-I*], [$1="$$1 -isystem `echo "$petsc_flag" | sed 's/^-I//'`"],
      [-D*], [$1="$$1 $petsc_flag"])
  done])

AC_DEFUN([PRC_PETSC], [
AC_ARG_WITH([petsc],
  [AS_HELP_STRING([--with-petsc@<:@=MODULE@:>@], [runs on many machines by PETSc and MPI, as mpiexec starts them; PETSc as pkg-config knows it
                   @<:@no; yes: petsc@:>@])], [], [with_petsc=no])
AC_ARG_VAR([MPI_CFLAGS], [C compiler flags for MPI, overriding pkg-config and mpicc])
AC_ARG_VAR([MPI_LIBS], [linker flags for MPI, overriding pkg-config and mpicc])
petsc_summary=no PETSC_CONFIGURE=--without-petsc PETSC_CPPFLAGS=
AS_IF([test "x$with_petsc" != xno], [
  AS_CASE([$with_petsc], [yes], [petsc_modules="petsc PETSc"], [petsc_modules=$with_petsc])
  PETSC_CONFIGURE=--with-petsc=$with_petsc
  PRC_MODULE([PETSC], [$petsc_modules], [PETSc is missing (Debian: petsc-dev, mpi-default-dev and mpi-default-bin); see --with-petsc])
  AC_MSG_CHECKING([for MPI])
  AS_IF([test "x$MPI_CFLAGS$MPI_LIBS" = x], [
    for petsc_mpi in mpi-c mpi ompi-c mpich; do
      AS_IF([$PKG_CONFIG --exists $petsc_mpi 2>/dev/null], [
        MPI_CFLAGS=`$PKG_CONFIG --cflags $petsc_mpi` MPI_LIBS=`$PKG_CONFIG --libs $petsc_mpi`
        break])
    done])
  AS_IF([test "x$MPI_CFLAGS$MPI_LIBS" = x], [
    MPI_CFLAGS=`${MPICC-mpicc} --showme:compile 2>/dev/null` MPI_LIBS=`${MPICC-mpicc} --showme:link 2>/dev/null`])
  AC_MSG_RESULT([${MPI_LIBS:-no}])
  AS_IF([test "x$MPI_CFLAGS$MPI_LIBS" = x],
    [AC_MSG_ERROR([MPI is missing (Debian: mpi-default-dev and mpi-default-bin); see --with-petsc, MPI_CFLAGS and MPI_LIBS])])
  PRC_PETSC_FLAGS([PETSC_CPPFLAGS], [$PETSC_CFLAGS $MPI_CFLAGS])
  PETSC_LIBS="$PETSC_LIBS $MPI_LIBS"
  petsc_save_CPPFLAGS=$CPPFLAGS petsc_save_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $PETSC_CPPFLAGS" LIBS="$PETSC_LIBS $LIBS"
  AC_MSG_CHECKING([whether PETSc and MPI can be used])
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <petscksp.h>
#if !defined(PETSC_USE_REAL_DOUBLE) || defined(PETSC_USE_COMPLEX) || defined(PETSC_USE_64BIT_INDICES) || PETSC_VERSION_LT(3, 18, 0)
#error another kind of PETSc
#endif
]], [[KSP ksp; return PetscInitialize(0, 0, 0, 0) || KSPCreate(MPI_COMM_WORLD, &ksp) || PetscFinalize();]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([PETSc and MPI were found, but a program that uses both is not made (config.log), expected PETSc 3.18 or later of real double
numbers with indices of 32 bits, and the MPI that it was built with (Debian: petsc-dev, mpi-default-dev and mpi-default-bin)])])
  CPPFLAGS=$petsc_save_CPPFLAGS LIBS=$petsc_save_LIBS
  petsc_summary="`$PKG_CONFIG --modversion $module`, MPI by $MPI_LIBS"
  AC_DEFINE([PRC_HAVE_PETSC], [1], [Define if many processes can share a mesh by PETSc and MPI.])],
  [PETSC_LIBS=])
AC_SUBST([PETSC_CPPFLAGS])
AC_SUBST([PETSC_LIBS])
AC_SUBST([PETSC_CONFIGURE])
AM_CONDITIONAL([HAVE_PETSC], [test "x$with_petsc" != xno])
])
