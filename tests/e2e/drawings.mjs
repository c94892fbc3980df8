// BPMN models for the tests of the designer, written from their elements: rows of steps between a start and an end.

const SIZES = { startEvent: [36, 36], endEvent: [36, 36], userTask: [100, 80] };
const NAMESPACES = [
  'xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"',
  'xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI"',
  'xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"',
  'xmlns:di="http://www.omg.org/spec/DD/20100524/DI"',
  'xmlns:xw="urn:xunwei:bpmn"',
].join(' ');

const attributes = (given) =>
  Object.entries(given)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');

/**
 * A model's XML. `nodes`: id → { type, at: [x, y of the centre], …attributes }; `flows`: [from, to] pairs, drawn
 * straight from a right side to a left one and called `from_to`.
 */
function model(key, name, nameEn, nodes, flows) {
  const shape = ([id, { type, at }]) => {
    const [width, height] = SIZES[type];
    const bounds = attributes({ x: at[0] - width / 2, y: at[1] - height / 2, width, height });
    return `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"><dc:Bounds${bounds} /></bpmndi:BPMNShape>`;
  };
  const edge = ([from, to]) => {
    const half = (id) => SIZES[nodes[id].type][0] / 2;
    const [[x, y], [nextX, nextY]] = [nodes[from].at, nodes[to].at];
    const ends = [
      [x + half(from), y],
      [nextX - half(to), nextY],
    ];
    const points = ends.map(([left, top]) => `<di:waypoint x="${left}" y="${top}" />`).join('');
    return `<bpmndi:BPMNEdge id="${from}_${to}_di" bpmnElement="${from}_${to}">${points}</bpmndi:BPMNEdge>`;
  };
  const drawn = Object.entries(nodes).map(
    ([id, { type, at: _at, ...more }]) => `<${type}${attributes({ id, ...more })} />`,
  );
  const joined = flows.map(
    ([from, to]) => `<sequenceFlow id="${from}_${to}" sourceRef="${from}" targetRef="${to}" />`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions ${NAMESPACES} id="definitions" targetNamespace="urn:e2e">
  <process${attributes({ id: key, name, 'xw:nameEn': nameEn, isExecutable: true })}>
    ${[...drawn, ...joined].join('\n    ')}
  </process>
  <bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="${key}">
    ${[...Object.entries(nodes).map(shape), ...flows.map(edge)].join('\n    ')}
  </bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</definitions>`;
}

/** Start, one step of whoever is named, an administrator else, with a copy of it for `copies`, end. */
export function oneStep(
  key,
  name = '外出登记',
  nameEn = 'Going out',
  { candidates = 'role:tenant_admin', copies } = {},
) {
  const nodes = {
    start: { type: 'startEvent', at: [200, 200], name: '申请', 'xw:nameEn': 'Request' },
    approve: {
      type: 'userTask',
      at: [350, 200],
      name: '审批',
      'xw:nameEn': 'Approve',
      'xw:candidates': candidates,
      ...(copies ? { 'xw:copies': copies } : {}),
    },
    done: { type: 'endEvent', at: [500, 200], name: '完成', 'xw:nameEn': 'Done' },
  };
  return model(key, name, nameEn, nodes, [
    ['start', 'approve'],
    ['approve', 'done'],
  ]);
}

/** Start, three steps of a person each, end. */
export function threeSteps(key, name, nameEn, people) {
  const step = (id, x, zh, en) => ({
    type: 'userTask',
    at: [x, 200],
    name: zh,
    'xw:nameEn': en,
    'xw:assignee': people[id],
    'xw:outcomes': id === 'draft' ? 'submit' : 'agree,reject',
  });
  const nodes = {
    start: { type: 'startEvent', at: [160, 200], name: '申请', 'xw:nameEn': 'Request' },
    draft: step('draft', 300, '拟稿', 'Draft'),
    review: step('review', 460, '审核', 'Review'),
    sign: step('sign', 620, '签发', 'Sign'),
    done: { type: 'endEvent', at: [760, 200], name: '完成', 'xw:nameEn': 'Done' },
  };
  const line = Object.keys(nodes);
  return model(
    key,
    name,
    nameEn,
    nodes,
    line.slice(1).map((to, before) => [line[before], to]),
  );
}

/** So many nodes in rows of twenty, one path through all of them. */
export function long(key, count) {
  const nodes = {};
  const place = (index) => [100 + 160 * (index % 20), 100 + 140 * Math.floor(index / 20)];
  for (let index = 0; index < count; index++) {
    const name = { name: `步骤${index}`, 'xw:nameEn': `Step ${index}` };
    const step = { type: 'userTask', 'xw:candidates': 'role:tenant_admin' };
    const kind = index === 0 ? { type: 'startEvent' } : index === count - 1 ? { type: 'endEvent' } : step;
    nodes[`n${index}`] = { ...kind, at: place(index), ...name };
  }
  const flows = Array.from({ length: count - 1 }, (_, index) => [`n${index}`, `n${index + 1}`]);
  return model(key, '长流程', 'Long process', nodes, flows);
}
