/** The minimap's package brings no types along. */
declare module 'diagram-js-minimap/dist/index.esm.js' {
  import type { ModuleDeclaration } from 'didi';

  const module: ModuleDeclaration;
  export default module;
}
