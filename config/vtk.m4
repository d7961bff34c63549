# PRC_VTK: looks for VTK 9.1 or later as --with-vtk says. Gives VTK_CPPFLAGS, VTK_LIBS, VTK_CONFIGURE (the option that finds the same again),
# vtk_summary, HAVE_VTK and the condition VTK.
#
# Headers are in a folder with the version in its name, which the libraries' names have too. The -dev package has links without
# version to the libraries; where it is not installed the libraries themselves are linked.

# PRC_VTK_TRY(INCLUDE-FOLDER, LIBRARIES): sets vtk_version if that compiles and links
AC_DEFUN([PRC_VTK_TRY], [
  CPPFLAGS="$vtk_save_CPPFLAGS -isystem $1" LIBS="$2 $vtk_save_LIBS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <vtkVersion.h>
#include <vtkNew.h>
#include <vtkXMLUnstructuredGridWriter.h>
#if VTK_MAJOR_VERSION * 100 + VTK_MINOR_VERSION < 901
#error VTK is too old
#endif
class vtkSMPTools { public: static bool SetBackend(const char *); };]], [[vtkSMPTools::SetBackend("Sequential"); vtkNew<vtkXMLUnstructuredGridWriter> writer; return writer->GetErrorCode() != 0;]])],
    [VTK_CPPFLAGS="-isystem $1" VTK_LIBS="$2"
     vtk_version=`sed -n 's/.*define VTK_VERSION "\(.*\)".*/\1/p' "$1/vtkVersionMacros.h"`])
  CPPFLAGS=$vtk_save_CPPFLAGS LIBS=$vtk_save_LIBS])

AC_DEFUN([PRC_VTK], [
AC_LANG_PUSH([C++])
vtk_save_CPPFLAGS=$CPPFLAGS vtk_save_CXXFLAGS=$CXXFLAGS vtk_save_LIBS=$LIBS
vtk_version= vtk_summary="percuss's own writer (without VTK)" VTK_CONFIGURE=--without-vtk
AX_APPEND_COMPILE_FLAGS([-std=c++17], [PRC_CXXFLAGS])
CXXFLAGS="$CXXFLAGS $PRC_CXXFLAGS"
AX_APPEND_COMPILE_FLAGS([-Wall -Wextra -Wpedantic -Wshadow], [PRC_CXXFLAGS])
AS_CASE([$with_vtk],
  [no], [vtk_prefixes=],
  [auto|yes], [vtk_prefixes="`pwd`/vtk/usr /usr /usr/local"],
  [/*], [vtk_prefixes=$with_vtk],
  [vtk_prefixes="`pwd`/$with_vtk"])
AC_MSG_CHECKING([for VTK])
for vtk_prefix in $vtk_prefixes; do
  for vtk_include in "$vtk_prefix"/include/vtk-* "$vtk_prefix"/include/vtk; do
    AS_IF([test "x$vtk_version" = x && test -e "$vtk_include/vtkVersionMacros.h"], [
      vtk_suffix=`echo "$vtk_include" | sed -n 's,.*/vtk\(-[[^/]]*\)$,\1,p'`
      vtk_names= vtk_files=
      for vtk_part in IOXML IOCore CommonExecutionModel CommonDataModel CommonMisc CommonCore; do
        vtk_names="$vtk_names -lvtk$vtk_part$vtk_suffix"
        vtk_files="$vtk_files -l:libvtk$vtk_part$vtk_suffix.so.1"
      done
      AS_CASE([$vtk_prefix], [/usr], [],
        [vtk_names="-L$vtk_prefix/lib -Wl,-rpath,$vtk_prefix/lib $vtk_names"])
      PRC_VTK_TRY([$vtk_include], [$vtk_names])
      AS_IF([test "x$vtk_version" = x], [PRC_VTK_TRY([$vtk_include], [$vtk_files])])
      AS_IF([test "x$vtk_version" != x], [VTK_CONFIGURE="--with-vtk=$vtk_prefix"])])
  done
done
CXXFLAGS=$vtk_save_CXXFLAGS
AC_LANG_POP([C++])
AC_MSG_RESULT([${vtk_version:-no}])
AS_IF([test "x$vtk_version" != x],
  [vtk_summary="VTK $vtk_version"
   AC_DEFINE([HAVE_VTK], [1], [Define if fields can be written by VTK.])],
  [test "x$with_vtk" != xno && test "x$with_vtk" != xauto],
  [AC_MSG_ERROR([VTK 9.1 or its headers are missing (Debian: libvtk9-dev; or config/vtk-headers, see README.md)])],
  [test "x$with_vtk" = xauto],
  [vtk_summary="$vtk_summary: its headers were not found (see README.md)"])
AS_IF([test "x$enable_werror" = xyes], [PRC_CXXFLAGS="$PRC_CXXFLAGS -Werror"])
AC_SUBST([PRC_CXXFLAGS])
AC_SUBST([VTK_CPPFLAGS])
AC_SUBST([VTK_LIBS])
AC_SUBST([VTK_CONFIGURE])
AM_CONDITIONAL([VTK], [test "x$vtk_version" != x])
])
