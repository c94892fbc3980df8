/** What must not compile. The checks are made by `tsc`: a line that compiles after all is an error of its own there. */
import { expect, test } from 'vitest';
import { type ApiError, api } from './client';

/** Is never called: its lines are only read by the compiler. */
async function misspelled(error: ApiError) {
  // @ts-expect-error a path that the server has not
  await api.get('/blade-user/inof');
  // @ts-expect-error a call that is only a POST
  await api.get('/blade-desk/message/read');
  // @ts-expect-error a parameter that the call does not take
  await api.get('/yuzhu-equip/repairorder/list', { machineID: '1' });
  // @ts-expect-error a parameter of another kind
  await api.get('/yuzhu-equip/repairorder/list', { size: 'many' });
  // @ts-expect-error a parameter that the call requires
  await api.get('/yuzhu-equip/repairorder/detail');
  // @ts-expect-error a parameter of a call that takes none
  await api.get('/blade-user/info', { id: '1' });

  // @ts-expect-error a body field that the call does not take
  await api.post('/blade-desk/notice/submit', { title: 'A', category: 1, content: 'a', titel: 'A' });
  // @ts-expect-error a body field that the call requires
  await api.post('/blade-desk/notice/submit', { title: 'A', category: 1 });
  // @ts-expect-error a body of a call that takes none
  await api.post('/blade-flow/follow/retry-process-instance', { processInstanceId: '1' });

  const order = await api.get('/yuzhu-equip/repairorder/detail', { id: '1' });
  // @ts-expect-error a field that the answer has not
  order.machinename;
  const page = await api.get('/yuzhu-equip/repairorder/list');
  // @ts-expect-error a field that the rows have not
  page.records[0]?.machinename;
  const nothing = await api.post('/blade-desk/message/read');
  // @ts-expect-error an answer of a call that only says that it was done
  nothing.id;

  // @ts-expect-error a call that answers no file
  await api.download('/blade-user/info');
  // @ts-expect-error a call that takes no file
  await api.upload('/blade-desk/notice/submit', new File([], 'a.png'));

  // @ts-expect-error a word that no refusal has
  return error.error === 'model.stail';
}

test('misspelled calls do not compile; `npm run check` proves it', () => {
  expect(misspelled).toBeTypeOf('function');
});
