import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { loadTexts, setLanguage } from '@/i18n';
import { draw } from '@/testing/render';
import { ItemsEditor } from './ItemsEditor';
import { type EditedItem, errorsOf, LIMITS, newItem, toWire, zonesOf } from './items';

const { t } = i18next;

const pressure = (more: Partial<EditedItem> = {}): EditedItem => ({
  ...newItem(),
  itemName: 'Pressure',
  valueType: 1,
  unit: 'MPa',
  decimals: 2,
  lower: 0.6,
  warnLower: 0.65,
  warnUpper: 0.78,
  upper: 0.8,
  ...more,
});

const NONE = { lower: null, warnLower: null, warnUpper: null, upper: null };

beforeEach(async () => {
  await loadTexts(['kit', 'inspect']);
  await setLanguage('en-US');
});

test('the zones are red, amber, green, amber, red, and missing limits leave theirs out', () => {
  const results = (limits: Partial<EditedItem>) =>
    zonesOf({ ...NONE, ...limits }).map(({ result, from, to }) => [result, from, to]);
  expect(results(pressure())).toEqual([
    [3, null, 0.6],
    [2, 0.6, 0.65],
    [1, 0.65, 0.78],
    [2, 0.78, 0.8],
    [3, 0.8, null],
  ]);
  expect(results({ warnUpper: 60, upper: 70 })).toEqual([
    [1, null, 60],
    [2, 60, 70],
    [3, 70, null],
  ]);
  expect(results({ lower: 8, warnLower: 9 })).toEqual([
    [3, null, 8],
    [2, 8, 9],
    [1, 9, null],
  ]);
  expect(results({ lower: 1, upper: 2 })).toEqual([
    [3, null, 1],
    [1, 1, 2],
    [3, 2, null],
  ]);
  // Two equal limits leave no room for a warning.
  expect(results({ lower: 1, warnLower: 1, upper: 2 }).map(([result]) => result)).toEqual([3, 1, 3]);
  expect(results({ lower: 2, upper: 1 })).toEqual([]);
  expect(results({})).toEqual([]);
});

test('the rules and their sentences are those of the server', () => {
  const wrong = (more: Partial<EditedItem>, above: EditedItem[] = []) =>
    errorsOf(pressure(more), above, t, 'en-US');
  expect(wrong({})).toEqual({});
  expect(wrong({ warnLower: 0.5 })).toEqual({
    warnLower: 'The limits of check item “Pressure” are not in order',
  });
  expect(wrong({ decimals: 1 })).toMatchObject({
    warnLower: 'The limits of check item “Pressure” may have at most 1 decimal',
  });
  expect(wrong({ ...NONE })).toEqual({
    upper:
      'Check item “Pressure” needs at least one limit, or “Record only” as what follows from an abnormal value',
  });
  expect(wrong({ ...NONE, abnormalAction: 0 })).toEqual({});
  expect(wrong({ itemName: ' ' })).toEqual({ itemName: 'Please enter Check item' });
  expect(wrong({}, [pressure()])).toEqual({ itemName: 'Check item "Pressure" already exists' });
  const option = (label: string, result: 1 | 2 | 3) => ({
    value: '',
    label,
    labelEn: '',
    result,
    resultName: '',
  });
  const choice = (...options: ReturnType<typeof option>[]) => wrong({ valueType: 3, options }).options;
  expect(choice(option('a', 1))).toBe('At least 2 options are needed');
  expect(choice(option('a', 2), option('b', 3))).toBe('At least one option must be “Normal”');
  expect(choice(option('a', 1), option('a', 3))).toBe('Option "a" already exists');
});

test('what the kind of value has not is not sent, and an item that is there keeps its id', () => {
  const [sent] = toWire([pressure({ itemId: 'a1', valueType: 2 })]) as [Record<string, unknown>];
  expect(LIMITS.map((limit) => sent[limit])).toEqual([null, null, null, null]);
  expect([sent.itemId, 'key' in sent, 'sort' in sent, 'valueTypeName' in sent]).toEqual([
    'a1',
    false,
    false,
    false,
  ]);
});

let now: EditedItem[] = [];

function Editor({ items }: { items: EditedItem[] }) {
  const [value, setValue] = useState(items);
  now = value;
  return <ItemsEditor value={value} onChange={setValue} />;
}

const names = () => now.map(({ itemName }) => itemName);

test('the scale follows while one types, and a wrong order says so', async () => {
  draw(<Editor items={[pressure()]} />);
  await userEvent.click(screen.getByRole('button', { name: /Pressure.*Number/ }));
  const scale = () => screen.getByRole('img', { name: /Normal from/ }).getAttribute('aria-label');
  expect(scale()).toBe(
    'Abnormal below 0.60 MPa, Warning from 0.60 MPa to 0.65 MPa, Normal from 0.65 MPa to 0.78 MPa, ' +
      'Warning from 0.78 MPa to 0.80 MPa, Abnormal above 0.80 MPa',
  );
  const upper = screen.getByLabelText('Upper limit');
  fireEvent.input(upper, { target: { value: '0.95' } });
  expect(scale()).toContain('Abnormal above 0.95 MPa');
  fireEvent.input(upper, { target: { value: '0.7' } });
  expect(await screen.findByText('The limits of check item “Pressure” are not in order')).toBeTruthy();
  expect(screen.queryByRole('img', { name: /Normal from/ })).toBeNull();
});

test('rows are moved by the arrow keys of their handles, duplicated and removed', async () => {
  draw(<Editor items={['A', 'B', 'C'].map((itemName) => ({ ...newItem(), itemName }))} />);
  const handle = screen.getByRole('button', { name: 'Move check item “A”' });
  handle.focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(names()).toEqual(['B', 'A', 'C']);
  expect(screen.getByText('“A” moved to position 2')).toBeTruthy();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move check item “A”');
  await userEvent.keyboard('{End}{ArrowDown}');
  expect(names()).toEqual(['B', 'C', 'A']);
  await userEvent.keyboard('{Home}');
  expect(names()).toEqual(['A', 'B', 'C']);
  await userEvent.click(screen.getByRole('button', { name: 'Duplicate check item “B”' }));
  expect(names()).toEqual(['A', 'B', 'B (2)', 'C']);
  expect(now[2]?.itemId).toBe('');
  await userEvent.click(screen.getByRole('button', { name: 'Delete check item “A”' }));
  expect(names()).toEqual(['B', 'B (2)', 'C']);
});

test('only the fields that the kind of value needs are asked for', async () => {
  draw(<Editor items={[{ ...newItem(), itemName: 'A' }]} />);
  await userEvent.click(screen.getByText('A'));
  expect([screen.queryByLabelText('Unit'), screen.queryByLabelText('Upper limit')]).toEqual([null, null]);
  const kinds = within(screen.getByRole('radiogroup', { name: 'Value type' }));
  await userEvent.click(kinds.getByText('Choice'));
  expect((screen.getByLabelText('Option 1') as HTMLInputElement).value).toBe('Normal');
  await userEvent.click(kinds.getByText('Meter'));
  expect([screen.queryByLabelText('Unit') === null, now[0]?.abnormalAction]).toEqual([false, 0]);
  expect(screen.queryByLabelText('Option 1')).toBeNull();
});
