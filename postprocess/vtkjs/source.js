/* What viewer_space.js uses of vtk.js, as one global name. `build` makes ../vtkjs.min.js of it. */
import '@kitware/vtk.js/Rendering/OpenGL/Profiles/Geometry';
import vtkActor from '@kitware/vtk.js/Rendering/Core/Actor';
import vtkLight from '@kitware/vtk.js/Rendering/Core/Light';
import vtkMapper from '@kitware/vtk.js/Rendering/Core/Mapper';
import vtkSphereMapper from '@kitware/vtk.js/Rendering/Core/SphereMapper';
import vtkDataArray from '@kitware/vtk.js/Common/Core/DataArray';
import vtkPolyData from '@kitware/vtk.js/Common/DataModel/PolyData';
import vtkRenderer from '@kitware/vtk.js/Rendering/Core/Renderer';
import vtkRenderWindow from '@kitware/vtk.js/Rendering/Core/RenderWindow';
import vtkOpenGLRenderWindow from '@kitware/vtk.js/Rendering/OpenGL/RenderWindow';

globalThis.percussVtk = {
  vtkActor, vtkLight, vtkMapper, vtkSphereMapper, vtkDataArray, vtkPolyData, vtkRenderer, vtkRenderWindow,
  vtkOpenGLRenderWindow,
};
