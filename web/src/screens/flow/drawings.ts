/** The file of a model: a new one, one under another key, and one to take away. */
import { save } from '@/lib/save';

const BPMN = 'http://www.omg.org/spec/BPMN/20100524/MODEL';

const SHEET = 'http://www.omg.org/spec/BPMN/20100524/DI';

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** What drawing begins with: a start, an end, and the way between them. */
export function blankDrawing(key: string, name: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="${BPMN}" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:xw="urn:xunwei:bpmn" id="definitions" targetNamespace="urn:xunwei:process">
  <process id="${escaped(key)}" name="${escaped(name)}" isExecutable="true">
    <startEvent id="start" />
    <endEvent id="end" />
    <sequenceFlow id="toEnd" sourceRef="start" targetRef="end" />
  </process>
  <bpmndi:BPMNDiagram id="diagram">
    <bpmndi:BPMNPlane id="plane" bpmnElement="${escaped(key)}">
      <bpmndi:BPMNShape id="start_di" bpmnElement="start">
        <dc:Bounds x="160" y="160" width="36" height="36" />
      </bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="end_di" bpmnElement="end">
        <dc:Bounds x="480" y="160" width="36" height="36" />
      </bpmndi:BPMNShape>
      <bpmndi:BPMNEdge id="toEnd_di" bpmnElement="toEnd">
        <di:waypoint x="196" y="178" />
        <di:waypoint x="480" y="178" />
      </bpmndi:BPMNEdge>
    </bpmndi:BPMNPlane>
  </bpmndi:BPMNDiagram>
</definitions>
`;
}

/** The same drawing as a process of another key and name; undefined for what holds no process. */
export function renamedDrawing(xml: string, key: string, name: string): string | undefined {
  const file = new DOMParser().parseFromString(xml, 'text/xml');
  const [process] = file.getElementsByTagNameNS(BPMN, 'process');
  if (!process) return undefined;
  const old = process.getAttribute('id');
  // Under another name the English one would be of another model.
  if (process.getAttribute('name') !== name) process.removeAttributeNS('urn:xunwei:bpmn', 'nameEn');
  process.setAttribute('id', key);
  process.setAttribute('name', name);
  // Its sheet, and the pool that it stands in, mean it by its id.
  for (const attribute of ['bpmnElement', 'processRef'])
    for (const element of file.querySelectorAll(`[${attribute}]`))
      if (element.getAttribute(attribute) === old) element.setAttribute(attribute, key);
  return new XMLSerializer().serializeToString(file);
}

/** A file that was chosen: its text, and the process in it. */
export interface DrawingFile {
  file: string;
  xml: string;
  key: string;
  name: string;
  /** Why it cannot be drawn: no BPMN, no process or several, or nothing that says where things stand. */
  refused?: 'notBpmn' | 'oneProcess' | 'noDiagram';
}

export function readDrawing(file: string, xml: string): DrawingFile {
  const parsed = new DOMParser().parseFromString(xml, 'text/xml');
  const processes = parsed.getElementsByTagNameNS(BPMN, 'process');
  const process = processes[0];
  const read = {
    file,
    xml,
    key: process?.getAttribute('id') ?? '',
    name: process?.getAttribute('name') ?? '',
  };
  if (parsed.querySelector('parsererror') || !parsed.getElementsByTagNameNS(BPMN, 'definitions')[0])
    return { ...read, refused: 'notBpmn' };
  if (processes.length !== 1) return { ...read, refused: 'oneProcess' };
  return parsed.getElementsByTagNameNS(SHEET, 'BPMNDiagram')[0] ? read : { ...read, refused: 'noDiagram' };
}

export function saveDrawing(xml: string, key: string): void {
  save({ blob: new Blob([xml], { type: 'application/xml' }), name: `${key}.bpmn` });
}
