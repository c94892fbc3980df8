import { expect, test } from 'vitest';
import { byRecord, byTask, FAIL, offers, PASS, TO_PERSON, TO_TEAM } from './steps';

const order = { id: '7', lockVersion: 3 };
const task = {
  taskId: '8',
  processInstanceId: '9',
  canComplete: true,
  outcomes: [
    { value: 'pass', label: 'Pass', positive: true },
    { value: 'fail', label: 'Fail', positive: false },
  ],
};

test('a dispatch names the person or the team, whichever was meant, and what is empty stays away', () => {
  const values = { repairUserId: '1', teamId: '2', planFinishTime: undefined };
  expect(byRecord(order, 'dispatch', { ...values, to: TO_PERSON })).toEqual({
    path: '/yuzhu-equip/repairorder/update',
    body: { id: '7', lockVersion: 3, action: 'dispatch', repairUserId: '1' },
  });
  expect(byRecord(order, 'dispatch', { ...values, to: TO_TEAM }).body).toEqual({
    id: '7',
    lockVersion: 3,
    action: 'dispatch',
    teamId: '2',
  });
});

test('a transfer names the person without being asked to whom', () => {
  expect(byRecord(order, 'transfer', { repairUserId: '1', reason: 'night shift' }).body).toEqual({
    id: '7',
    lockVersion: 3,
    action: 'transfer',
    repairUserId: '1',
    reason: 'night shift',
  });
});

test('the words of a finish travel as one comma-joined text', () => {
  const values = { solution: 'new bearing', causeTagId: '4', actionTagIds: ['5', '6'], afterImages: ['a'] };
  expect(byRecord(order, 'finish', values).body).toEqual({
    id: '7',
    lockVersion: 3,
    action: 'finish',
    solution: 'new bearing',
    causeTagId: '4',
    actionTagIds: '5,6',
    afterImages: ['a'],
  });
});

test('a check from the queue is an outcome with the remark as opinion, and the verdict is not sent twice', () => {
  expect(byTask(task, 'check', { checkResult: FAIL, checkRemark: ' still noisy ' })).toEqual({
    path: '/blade-flow/work/complete-task',
    body: {
      taskId: '8',
      processInstanceId: '9',
      outcome: 'fail',
      comment: 'still noisy',
      variables: { checkRemark: ' still noisy ' },
    },
  });
  expect(byTask(task, 'check', { checkResult: PASS, checkScore: 5 }).body).toEqual({
    taskId: '8',
    processInstanceId: '9',
    outcome: 'pass',
    comment: '',
    variables: { checkScore: 5 },
    flag: 'ok',
  });
});

test('only what the open step offers goes through the queue', () => {
  expect(offers(task, 'check')).toBe(true);
  expect(offers(task, 'cancel')).toBe(false);
  expect(offers(task, 'accept')).toBe(false);
  expect(offers({ ...task, canComplete: false }, 'check')).toBe(false);
});

test('helpers go with a person, not with a team', () => {
  const values = { repairUserId: '1', teamId: '2', helperIds: ['3', '4'] };
  expect(byRecord(order, 'dispatch', { ...values, to: TO_PERSON }).body).toMatchObject({ helperIds: '3,4' });
  expect(byRecord(order, 'dispatch', { ...values, to: TO_TEAM }).body).not.toHaveProperty('helperIds');
});

test('a new stop is named by a failing check alone, and only where the machine stands', () => {
  const again = { checkRemark: 'leaks', stoppedAgain: 1, stopStart: '2026-03-02 09:30:00' };
  const sent = (values: object) => byRecord(order, 'check', { ...again, ...values }).body;
  expect(sent({ checkResult: FAIL })).toMatchObject({ stopStart: '2026-03-02 09:30:00' });
  expect(sent({ checkResult: FAIL, stoppedAgain: 0 })).not.toHaveProperty('stopStart');
  expect(sent({ checkResult: PASS })).not.toHaveProperty('stopStart');
  expect(sent({ checkResult: FAIL })).not.toHaveProperty('stoppedAgain');
});
