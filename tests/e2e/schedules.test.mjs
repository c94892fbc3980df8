// A start by time: drawn in the designer, deployed, started by the worker when its time has come, and switched off on a phone.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { choose, element } from './designing.mjs';
import { oneStep } from './drawings.mjs';
import { DESK, findings, languages, PHONE, settled } from './harness.mjs';
import { stage } from './stage.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const DESIGNER = 'gao.l';
const PATIENCE = 120;
const TEXTS = {
  'zh-CN': {
    replace: '定时开始事件',
    kind: '何时发起',
    rule: '按日历重复',
    words: '每月最后一天 08:00',
    next: '后续时间',
    noErrors: /没有问题|0个错误/,
    deploy: '部署…',
    note: '说明',
    submit: '部署',
    deployed: '已部署第1版，查看部署',
    on: '已启用',
    off: '未启用',
    switchOff: '停用',
    run: '立即发起',
  },
  'en-US': {
    replace: 'Timer start event',
    kind: 'Starts',
    rule: 'Repeat by calendar',
    words: 'every month on the last day at 08:00',
    next: 'Next',
    noErrors: /No problems|0 errors/,
    deploy: 'Deploy…',
    note: 'Note',
    submit: 'Deploy',
    deployed: 'Deployed as version 1. View deployments',
    on: 'On',
    off: 'Off',
    switchOff: 'Switch off',
    run: 'Start now',
  },
};

for (const language of languages('en-US')) {
  const words = TEXTS[language];
  describe(language, () => {
    const { call, data, faults, look, person } = stage();

    /** Moves the next start into the past, as the clock would. */
    async function moveClock(key) {
      const { DATABASE_URL: _, REDIS_URL: __, ...environment } = process.env;
      const moving = spawn(`${root}.venv/bin/python`, ['-m', 'tests.e2e.due', key], {
        cwd: root,
        env: { ...environment, DATA_DIR: data() },
        stdio: 'inherit',
      });
      assert.equal(await new Promise((resolve) => moving.once('close', resolve)), 0, 'nothing is due');
    }

    const scheduled = async () => (await call(DESIGNER, 'blade-flow/schedule/list?key=monthly')).records[0];

    async function startedOnce() {
      for (let second = 0; second < PATIENCE; second += 1) {
        const found = await scheduled();
        if (found.lastResult === 1) return found;
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
      throw new Error('the worker started nothing');
    }

    test('it is drawn, deployed and started when its time has come', async () => {
      const draft = await call(DESIGNER, 'blade-flow/model/submit', {
        name: '月末盘点',
        modelKey: 'monthly',
        category: 'flow_1',
        xml: oneStep('monthly', '月末盘点', 'Month-end count'),
      });
      const page = await person(DESIGNER, DESK, language);
      await page.goto(`/flow/model/design/${draft.id}`);
      await element(page, 'start').click();
      await page.locator('.djs-context-pad.open [data-action="replace"]').click();
      await page.locator('.djs-popup').getByText(words.replace, { exact: true }).click();
      const panel = page.locator('.x-props');
      await choose(page, panel.getByLabel(words.kind, { exact: true }), words.rule);
      await panel.getByText(words.words).waitFor();
      assert.equal(await panel.getByRole('region', { name: words.next }).getByRole('listitem').count(), 5);
      await page.getByText(words.noErrors).first().waitFor();
      await settled(page);
      assert.deepEqual(await findings(page), []);
      await look(page, `schedule-drawn-${language}`);

      await page.getByRole('button', { name: words.deploy, exact: true }).click();
      const form = page.locator('.ant-drawer-open');
      await form.getByLabel(words.note, { exact: true }).fill('月末');
      if ((await form.getByRole('checkbox').count()) > 0) await form.getByRole('checkbox').check();
      await form.getByRole('button', { name: words.submit, exact: true }).click();
      await page.getByRole('link', { name: words.deployed }).waitFor();

      const planned = await scheduled();
      assert.deepEqual([planned.state, planned.lastResult, planned.next.length], ['on', 0, 5]);
      await moveClock('monthly');
      const { lastInstanceId } = await startedOnce();
      const followed = await call(DESIGNER, 'blade-flow/follow/list?size=50');
      const mine = followed.records.filter((one) => one.processInstanceId === lastInstanceId);
      assert.equal(mine.length, 1);

      await page.goto('/flow/schedule');
      await page.getByText(words.words).first().waitFor();
      await settled(page);
      await look(page, `schedules-desk-${language}`);
      await page.locator('tbody').getByText(words.on, { exact: true }).waitFor();
      assert.deepEqual(await findings(page), []);
      await page.context().close();
    });

    test('on a phone it is read, and switched off', async () => {
      const page = await person(DESIGNER, PHONE, language);
      await page.goto('/flow/schedule?key=monthly');
      const card = page.locator('.x-card').first();
      await card.getByText(words.words).waitFor();
      await card.getByText(words.on, { exact: true }).waitFor();
      await settled(page);
      assert.deepEqual(await findings(page), []);
      await look(page, `schedules-phone-${language}`);
      const inSight = card.getByRole('button', { name: words.switchOff, exact: true });
      if ((await inSight.count()) > 0) await inSight.click();
      else {
        await card.locator('.x-card-more').click();
        await page
          .locator('.ant-dropdown:visible')
          .getByRole('menuitem', { name: words.switchOff, exact: true })
          .click();
      }
      await page.getByRole('dialog').getByRole('button', { name: words.switchOff, exact: true }).click();
      await card.getByText(words.off, { exact: true }).waitFor();
      assert.equal((await scheduled()).isOn, false);
      assert.deepEqual(faults, []);
      await page.context().close();
    });
  });
}
