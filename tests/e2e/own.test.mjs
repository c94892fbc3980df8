// A company's own model in a real browser: deployed as a file, started with its drawn form, approved on a phone, recorded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, findings, PHONE, settled } from './harness.mjs';
import { bar, stage, state } from './stage.mjs';

let definition;

const number = (key, label, english, more = {}) => ({
  type: 'number',
  key,
  label,
  properties: { labelEn: english },
  ...more,
});
const APPLY = {
  components: [
    { type: 'text', text: '提前一天申请。', properties: { textEn: 'Ask a day ahead.' } },
    number('days', '天数', 'Days', { decimalDigits: 1, validate: { required: true, min: 0.5, max: 30 } }),
    {
      type: 'select',
      key: 'kind',
      label: '类别',
      properties: { labelEn: 'Kind' },
      values: [
        { value: 'own', label: '事假', labelEn: 'Own matters' },
        { value: 'sick', label: '病假', labelEn: 'Illness' },
      ],
    },
    {
      type: 'datetime',
      subtype: 'date',
      key: 'first',
      label: '开始日期',
      properties: { labelEn: 'First day' },
    },
    {
      type: 'textarea',
      key: 'reason',
      label: '理由',
      properties: { labelEn: 'Reason' },
      validate: { required: true },
    },
  ],
};
const LOOK = {
  components: [
    number('days', '天数', 'Days', { readonly: true }),
    { type: 'checkbox', key: 'paid', label: '带薪', properties: { labelEn: 'Paid' } },
  ],
};
const form = (name, schema) => `<xw:form name="${name}"><![CDATA[${JSON.stringify(schema)}]]></xw:form>`;
const NODES = [
  ['start', 160, 102, 36, 36],
  ['look', 240, 80, 100, 80],
  ['decide', 390, 95, 50, 50],
  ['record', 490, 80, 100, 80],
  ['done', 640, 102, 36, 36],
  ['refused', 397, 200, 36, 36],
];
const FLOWS = [
  ['f1', 'start', 'look', [196, 120, 240, 120]],
  ['f2', 'look', 'decide', [340, 120, 390, 120]],
  ['yes', 'decide', 'record', [440, 120, 490, 120]],
  ['no', 'decide', 'refused', [415, 145, 415, 200]],
  ['f3', 'record', 'done', [590, 120, 640, 120]],
];
const MODEL = `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xw="urn:xunwei:bpmn"
  xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"
  xmlns:di="http://www.omg.org/spec/DD/20100524/DI" id="d" targetNamespace="urn:e2e">
  <process id="ownleave" name="外出申请" xw:nameEn="Going out" isExecutable="true">
    <extensionElements>${form('apply', APPLY)}${form('look', LOOK)}</extensionElements>
    <startEvent id="start" name="申请" xw:nameEn="Request" xw:form="apply" />
    <userTask id="look" name="主管审批" xw:nameEn="Manager approves" xw:form="look" xw:outcomes="agree,reject"
      xw:candidates="role:equip_manager" />
    <exclusiveGateway id="decide" default="no" />
    <userTask id="record" name="登记" xw:nameEn="Record" xw:candidates="role:tenant_admin" />
    <endEvent id="done" name="完成" xw:nameEn="Done" /><endEvent id="refused" name="驳回" xw:nameEn="Rejected" />
    ${FLOWS.map(([id, from, to]) =>
      id === 'yes'
        ? `<sequenceFlow id="yes" name="同意" xw:nameEn="Approve" sourceRef="decide" targetRef="record">
             <conditionExpression>\${outcome == 'agree'}</conditionExpression></sequenceFlow>`
        : `<sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}" />`,
    ).join('')}
  </process>
  <bpmndi:BPMNDiagram id="g"><bpmndi:BPMNPlane id="p" bpmnElement="ownleave">
    ${NODES.map(([id, x, y, w, h]) => `<bpmndi:BPMNShape id="s_${id}" bpmnElement="${id}"><dc:Bounds x="${x}" y="${y}" width="${w}" height="${h}" /></bpmndi:BPMNShape>`).join('')}
    ${FLOWS.map(([id, , , [a, b, c, d]]) => `<bpmndi:BPMNEdge id="e_${id}" bpmnElement="${id}"><di:waypoint x="${a}" y="${b}" /><di:waypoint x="${c}" y="${d}" /></bpmndi:BPMNEdge>`).join('')}
  </bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</definitions>`;

async function prepare({ deploy }) {
  definition = await deploy('ownleave', MODEL);
}

const { faults, look, person } = stage({ prepare });

test('a process of the company runs from its drawn form to its end', async () => {
  const operator = await person('qin.y');
  await operator.goto(`/work/process/own/form/${definition}`);
  await operator.getByLabel('天数').fill('0.25');
  await bar(operator, '发起流程').click();
  await operator.getByText('请输入理由').waitFor();
  await operator.getByText('天数应在0.5到30之间').waitFor();
  await look(operator, 'start-refused');
  await operator.getByLabel('天数').fill('2.5');
  await operator.getByLabel('理由').fill('陪家人看病');
  // What was entered is there again after the page is loaded anew.
  await operator.waitForTimeout(300);
  await operator.reload();
  await settled(operator);
  assert.equal(await operator.getByLabel('理由').inputValue(), '陪家人看病');
  assert.deepEqual(await findings(operator), []);
  await look(operator, 'start');
  await bar(operator, '发起流程').click();
  await operator.waitForURL('**/work/process/own/detail/**');
  await state(operator).filter({ hasText: '进行中' }).waitFor();
  assert.deepEqual(await findings(operator), []);
  await look(operator, 'detail');

  const manager = await person('qian.w', PHONE);
  await manager.goto('/work/claim');
  await manager.getByText('外出申请').first().click();
  await manager.getByText('陪家人看病').waitFor();
  assert.deepEqual(await findings(manager), []);
  await look(manager, 'handle-phone');
  await manager.getByLabel('处理意见').fill('注意安全');
  await bar(manager, '同意').click();
  await manager.waitForURL('**/work/todo');

  const admin = await person('zhao.m', DESK, 'en-US');
  await admin.goto('/work/claim');
  await admin.getByText('Going out').first().click();
  await admin.locator('.x-task').waitFor();
  await look(admin, 'handle-en');
  await admin.getByRole('tab', { name: 'Diagram' }).click();
  await admin.locator('.x-diagram-frame .djs-visual').first().waitFor();
  await look(admin, 'diagram-en');
  await bar(admin, 'Approve').click();
  await admin.waitForURL('**/work/todo');

  await operator.goto('/work/send');
  await operator.getByText('外出申请').first().click();
  await state(operator).filter({ hasText: '已结束' }).waitFor();
  await operator.getByText('注意安全').waitFor();
  await look(operator, 'detail-finished');
  assert.deepEqual(faults, []);
});
