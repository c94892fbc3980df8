// Nothing that people have typed is lost: each long form after a reload, Back, a closed tab, an ended session and beside a second tab; what is sent at last is sent once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneStep } from './drawings.mjs';
import { DESK, fillSignIn, newTab, settled } from './harness.mjs';
import { bar, stage } from './stage.mjs';

const FORM = {
  type: 'default',
  components: [
    {
      type: 'textarea',
      key: 'reason',
      label: '事由',
      properties: { labelEn: 'Reason' },
      validate: { required: true },
    },
  ],
};
const MODEL = oneStep('drafted').replace(
  /(<process[^>]*>)/,
  `$1<extensionElements><xw:form name="apply"><![CDATA[${JSON.stringify(FORM)}]]></xw:form></extensionElements>`,
);

/** What the forms are opened for: a model with a form, the model of leave, an order under repair. */
const made = {};

async function prepare({ call, deploy }) {
  await deploy('drafted', MODEL.replace('name="申请"', 'name="申请" xw:form="apply"'));
  const startable = (await call('qin.y', 'blade-flow/work/start-list?size=50')).records;
  made.own = startable.find(({ key }) => key === 'drafted').id;
  made.leave = startable.find(({ key }) => key === 'leave').id;

  const machines = await call('qin.y', 'yuzhu-equip/inspectmachine/getList?nodeType=4');
  const machine = machines.find(({ machineCode }) => machineCode === 'JJ-CNC-004') ?? machines.at(-1);
  const REPAIR = 'yuzhu-equip/repairorder';
  const report = {
    machineId: machine.id,
    description: '导轨爬行，进给不均匀',
    urgency: 3,
    isStop: 0,
    force: 1,
  };
  const { id, orderNo } = await call('qin.y', `${REPAIR}/save`, report);
  const act = async (account, action, values) => {
    const { lockVersion } = await call(account, `${REPAIR}/detail?id=${id}`);
    await call(account, `${REPAIR}/update`, { id, lockVersion, action, ...values });
  };
  const people = await call('wei.b', 'yuzhu-equip/user/machineUsers');
  await act('wei.b', 'dispatch', { repairUserId: people.find(({ userName }) => userName === '蒋平').userId });
  await act('jiang.p', 'accept', {});
  const minute = (ago) => {
    const time = new Date(Date.now() - ago * 60_000 + 8 * 3_600_000);
    return time.toISOString().slice(0, 19).replace('T', ' ');
  };
  await call('jiang.p', 'yuzhu-equip/repairorderdetail/submit', {
    orderId: id,
    workType: 2,
    startTime: minute(20),
    endTime: minute(10),
    content: '检查导轨',
  });
  Object.assign(made, { order: id, number: orderNo });
}

const { faults, person } = stage({ prepare });

const drawer = (page) => page.locator('.ant-drawer-open').last();
const sendOf = (page, name) =>
  drawer(page).locator('.ant-drawer-footer').getByRole('button', { name, exact: true });

/** From a list below its field. */
async function choose(page, label, text) {
  await drawer(page).getByLabel(label).click();
  const list = page.locator('.ant-select-dropdown:visible');
  await list.locator('.ant-select-item-option').filter({ hasText: text }).first().click();
  await list.waitFor({ state: 'hidden' });
}

/**
 * The long forms: where each is, how one comes there and opens it, the field that is typed into, what else it wants, how it is
 * sent, and by which call.
 */
const FORMS = [
  {
    name: 'the report of a fault',
    account: 'qin.y',
    path: () => '/repair/report',
    label: '故障描述',
    fill: (page) => page.getByRole('group', { name: '我的设备' }).locator('.x-word').nth(1).click(),
    send: (page) => page.getByRole('button', { name: '提交报修' }),
    call: '/yuzhu-equip/repairorder/save',
  },
  {
    name: 'a request for leave',
    account: 'qin.y',
    path: () => `/work/process/leave/form/${made.leave}`,
    label: '请假事由',
    fill: async (page) => {
      await page.locator('.ant-radio-button-wrapper').filter({ hasText: '事假' }).click();
      await page.locator('.x-word').filter({ hasText: '后天' }).click();
    },
    send: (page) => page.getByRole('button', { name: '提交申请' }),
    call: '/blade-desk/process/leave/start-process',
  },
  {
    name: 'the form of a process of the company',
    account: 'qin.y',
    path: () => `/work/process/own/form/${made.own}`,
    label: '事由',
    fill: () => undefined,
    send: (page) => bar(page, '发起流程'),
    call: '/blade-flow/work/start-process',
  },
  {
    name: 'the completion of a repair',
    account: 'jiang.p',
    path: () => `/repair/order/${made.order}`,
    reach: async (page) => {
      await page.locator('nav').getByText('维修工单', { exact: true }).click();
      await page.getByRole('row').filter({ hasText: made.number }).click();
    },
    open: (page) => bar(page, '完工').click(),
    label: '维修措施',
    fill: async (page) => {
      await choose(page, '故障原因', '');
      await drawer(page).locator('.x-word input').first().check();
    },
    send: (page) => sendOf(page, '完工'),
    call: '/yuzhu-equip/repairorder/update',
  },
  {
    name: 'a notice',
    account: 'zhao.m',
    path: () => '/desk/notice',
    reach: (page) => page.locator('nav').getByText('通知公告', { exact: true }).click(),
    open: (page) => page.getByRole('button', { name: /新增/ }).click(),
    label: '内容',
    fill: async (page) => {
      await drawer(page).getByLabel('标题').fill('停电检修');
      await choose(page, '通知类型', '');
    },
    send: (page) => sendOf(page, '保存'),
    call: '/blade-desk/notice/submit',
  },
];

/** One page a person; what ends a session is a complaint of the browser too. */
const pages = new Map();
const complaints = [];

async function pageOf(account) {
  if (!pages.has(account)) pages.set(account, await person(account, DESK, 'zh-CN', { complaints }));
  return pages.get(account);
}

for (const { name, account, path, reach, open, label, fill, send, call } of FORMS) {
  test(`${name} keeps what was typed`, async () => {
    let page = await pageOf(account);
    const context = page.context();
    const sent = [];
    const count = (request) => {
      if (request.method() === 'POST' && request.url().includes(call)) sent.push(request);
    };
    context.on('request', count);
    const field = (where) => (open ? drawer(where) : where).getByLabel(label);
    const show = async (where) => {
      await open?.(where);
      await field(where).waitFor();
    };
    const opened = async (where) => {
      await where.goto(path());
      await show(where);
    };
    /** Types, and gives the page the moment in which it keeps it. */
    const type = async (where, words) => {
      await field(where).fill(words);
      await where.waitForFunction(
        (words) => Object.values({ ...localStorage }).some((kept) => kept.includes(words)),
        words,
      );
    };
    const keeps = async (where, words, after) =>
      assert.equal(await field(where).inputValue(), words, `${name}: after ${after}`);

    await page.goto('/wel/index');
    if (reach) {
      // Within the console, so that Back is the console's own.
      await reach(page);
      await page.waitForURL(`**${path()}`);
      await show(page);
    } else await opened(page);
    await type(page, '甲：写到一半');
    await page.reload();
    await show(page);
    await keeps(page, '甲：写到一半', 'a reload');

    await type(page, '乙：又写了一些');
    await page.goBack();
    if (open) {
      // A drawer is not left without a question; who stays has everything.
      await page.getByRole('button', { name: '继续填写' }).click();
    } else {
      await page.waitForURL((url) => url.pathname !== path());
      await page.goForward();
      await field(page).waitFor();
    }
    await keeps(page, '乙：又写了一些', 'Back');

    await page.close();
    page = await newTab(context, complaints);
    pages.set(account, page);
    await opened(page);
    await keeps(page, '乙：又写了一些', 'a closed tab');

    // The token is of no worth any more, and what would renew it neither.
    await type(page, '丙：会话结束之前');
    // What is chosen may ask the server, who would end the session there and then.
    await fill(page);
    await page.evaluate(() => {
      const session = JSON.parse(localStorage.getItem('xunwei.session'));
      localStorage.setItem('xunwei.session', JSON.stringify({ ...session, access: 'over', refresh: 'over' }));
    });
    await send(page).click();
    await page.waitForURL('**/login**');
    assert.equal(sent.length <= 1, true, `${name}: sent ${sent.length} times to a session that was over`);
    sent.length = 0;
    await page.locator('#password').waitFor();
    await fillSignIn(page, account);
    await page.keyboard.press('Escape');
    await page.locator('button[type=submit]').click();
    await page.waitForURL((url) => url.pathname === path());
    await show(page);
    await keeps(page, '丙：会话结束之前', 'an ended session');

    // The second tab begins with what the first has, goes on and sends; the first keeps what stands in it.
    const second = await newTab(context, complaints);
    await opened(second);
    await keeps(second, '丙：会话结束之前', 'opening a second tab');
    await type(second, '丁：在另一个标签页写完');
    await keeps(page, '丙：会话结束之前', 'typing in the second tab');
    const answered = second.waitForResponse((response) => response.url().includes(call));
    await send(second).dblclick();
    assert.equal((await answered).status(), 200);
    await send(second).waitFor({ state: 'detached' });
    await settled(second);
    assert.equal(sent.length, 1, `${name}: sent ${sent.length} times`);
    assert.match(sent[0].postData(), /丁：在另一个标签页写完/);
    await keeps(page, '丙：会话结束之前', 'sending from the second tab');
    context.off('request', count);
    await second.close();
  });
}

test('no page complained but of the sessions that were over', () => {
  assert.deepEqual(faults, []);
  assert.deepEqual(
    complaints.filter((text) => !/40[01]/.test(text)),
    [],
  );
});
