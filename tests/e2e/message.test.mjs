// A process that waits for a message, in a real browser: the button on its page sends it with its field, at the desk in
// Chinese and on a phone in English; another system's call sends it too, and starts a process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, findings, PHONE } from './harness.mjs';
import { bar, stage, state } from './stage.mjs';

const STARTER = 'qin.y';
const DESIGNER = 'gao.l';
const FORM = JSON.stringify({
  components: [
    {
      type: 'textfield',
      key: 'part',
      label: '备件',
      properties: { labelEn: 'Part' },
      validate: { required: true },
    },
    { type: 'number', key: 'price', label: '价格', properties: { labelEn: 'Price' }, readonly: true },
  ],
});
const NODES = [
  ['start', 160, 102, 36, 36],
  ['come', 160, 202, 36, 36],
  ['wait', 260, 102, 36, 36],
  ['look', 360, 80, 100, 80],
  ['done', 520, 102, 36, 36],
];
const FLOWS = [
  ['f1', 'start', 'wait', [196, 120, 260, 120]],
  ['f2', 'wait', 'look', [296, 120, 360, 120]],
  ['f3', 'come', 'look', [196, 220, 410, 160]],
  ['f4', 'look', 'done', [460, 120, 520, 120]],
];
const MODEL = `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xw="urn:xunwei:bpmn"
  xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"
  xmlns:di="http://www.omg.org/spec/DD/20100524/DI" id="d" targetNamespace="urn:e2e">
  <message id="m" name="quote" /><message id="o" name="offer" />
  <process id="quoting" name="询价" xw:nameEn="Quote" isExecutable="true">
    <extensionElements><xw:form name="order"><![CDATA[${FORM}]]></xw:form></extensionElements>
    <startEvent id="start" xw:form="order" />
    <startEvent id="come"><messageEventDefinition messageRef="o" xw:fields="part,price" /></startEvent>
    <intermediateCatchEvent id="wait" name="等待报价" xw:nameEn="Wait for the quote">
      <messageEventDefinition messageRef="m" xw:key="\${form.part}" xw:fields="price" /></intermediateCatchEvent>
    <userTask id="look" name="审批报价" xw:nameEn="Approve the quote" xw:form="order" xw:assignee="\${starter.id}" />
    <endEvent id="done" />
    ${FLOWS.map(([id, from, to]) => `<sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}" />`).join('')}
  </process>
  <bpmndi:BPMNDiagram id="g"><bpmndi:BPMNPlane id="p" bpmnElement="quoting">
    ${NODES.map(([id, x, y, w, h]) => `<bpmndi:BPMNShape id="s_${id}" bpmnElement="${id}"><dc:Bounds x="${x}" y="${y}" width="${w}" height="${h}" /></bpmndi:BPMNShape>`).join('')}
    ${FLOWS.map(([id, , , [a, b, c, d]]) => `<bpmndi:BPMNEdge id="e_${id}" bpmnElement="${id}"><di:waypoint x="${a}" y="${b}" /><di:waypoint x="${c}" y="${d}" /></bpmndi:BPMNEdge>`).join('')}
  </bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</definitions>`;

let definition;

async function prepare({ deploy }) {
  definition = await deploy('quoting', MODEL);
}

const { call, faults, look, person } = stage({ prepare });

const started = async (part) =>
  (
    await call(STARTER, 'blade-flow/work/start-process', {
      processDefinitionId: definition,
      variables: { part },
    })
  ).processInstanceId;
const standing = async (id) =>
  (await call(DESIGNER, `blade-flow/follow/detail?processInstanceId=${id}`)).waits.map(({ name }) => name);

async function send(page, id, words) {
  await page.goto(`/flow/follow/${id}`);
  await bar(page, words.send).click();
  const drawer = page.locator('.ant-drawer-open').last();
  await drawer.getByLabel(words.price).fill('12.5');
  assert.deepEqual(await findings(page), []);
  await look(page, `form-${words.language}`);
  await drawer.locator('.ant-drawer-footer').getByRole('button', { name: words.send, exact: true }).click();
  await page.getByText(words.step).first().waitFor();
  await page.getByText(words.told).first().waitFor();
  await bar(page, words.send).waitFor({ state: 'detached' });
  await look(page, `sent-${words.language}`);
}

test('the button sends the message that a process waits for, in both languages', async () => {
  const [first, second] = [await started('P1'), await started('P2')];
  const desk = await person(DESIGNER, DESK);
  await send(desk, first, {
    language: 'zh',
    send: '发送消息',
    price: '价格',
    step: '审批报价',
    told: '由人员发送消息',
  });
  assert.deepEqual(await standing(first), ['审批报价']);
  assert.deepEqual(await standing(second), []);
  const phone = await person(DESIGNER, PHONE, 'en-US');
  await send(phone, second, {
    language: 'en',
    send: 'Send message',
    price: 'Price',
    step: 'Approve the quote',
    told: 'Message sent by a person',
  });
  assert.deepEqual(faults, []);
});

test('a call sends it to whoever waits for its key, and starts a process by another', async () => {
  const id = await started('P3');
  const sent = await call(DESIGNER, 'blade-flow/message/send', {
    name: 'quote',
    key: 'P3',
    values: { price: 7 },
  });
  assert.deepEqual([sent.receivers, sent.starts, sent.processes[0].processInstanceId], [1, 0, id]);
  // The worker of the server delivers it.
  for (let tries = 0; tries < 100 && (await standing(id)).length === 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(await standing(id), ['审批报价']);
  const begun = await call(DESIGNER, 'blade-flow/message/send', {
    name: 'offer',
    key: 'any',
    values: { part: 'P4', price: 3 },
  });
  assert.deepEqual([begun.receivers, begun.starts], [0, 1]);
  const page = await person(DESIGNER);
  for (let tries = 0; tries < 100; tries += 1) {
    const { records } = await call(DESIGNER, 'blade-flow/work/inbox');
    if (records.some(({ title }) => title.includes('询价'))) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await page.goto('/work/todo');
  await page.getByText('询价').first().click();
  await state(page).filter({ hasText: '进行中' }).waitFor();
  assert.equal(await page.getByLabel('备件').inputValue(), 'P4');
  assert.deepEqual(faults, []);
});
