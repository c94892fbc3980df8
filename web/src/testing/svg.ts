/** What a browser's SVG has and the test environment lacks, so that the drawing library runs there without sizes. */

const BOX = { x: 0, y: 0, width: 100, height: 80 };

const matrix = () => document.createElementNS('http://www.w3.org/2000/svg', 'svg').createSVGMatrix();

Object.assign(SVGGraphicsElement.prototype, { getBBox: () => BOX, getCTM: matrix, getScreenCTM: matrix });
Object.assign(SVGTransformList.prototype, { consolidate: () => null });
