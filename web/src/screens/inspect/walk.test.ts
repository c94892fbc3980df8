import { expect, test } from 'vitest';
import type { RequiredItem } from '@/kit/required';
import { EMPTY, errorOf, type Judged, judged, lacking, resultOf, toRecords } from './walk';

const t = ((key: string) => key) as never;
const number: Judged = {
  itemId: 'p',
  itemName: '压力',
  valueType: 1,
  decimals: 2,
  required: 1,
  needPhoto: 2,
  options: [],
  lower: 0.6,
  warnLower: 0.65,
  warnUpper: 0.78,
  upper: 0.8,
};

test('a number is judged as the server judges it', () => {
  const values = [0.59, 0.6, 0.64, 0.65, 0.78, 0.79, 0.8, 0.81];
  expect(values.map((value) => judged(number, value))).toEqual([3, 2, 2, 1, 1, 2, 2, 3]);
  expect(resultOf(number, { ...EMPTY, value: 'x' })).toBeUndefined();
});

test('what is missing or wrong is named, and only what was entered is sent', () => {
  const wrong = (entry: object) => errorOf(number, { ...EMPTY, ...entry }, t, () => undefined);
  expect(wrong({})).toBe('rounds.task.required');
  expect(wrong({ value: '0.655' })).toBe('rounds.task.places');
  expect(wrong({ value: '高' })).toBe('rounds.task.number');
  expect(wrong({ value: '0.9' })).toBe('rounds.task.photo');
  expect(wrong({ value: '0.9', images: ['a'] })).toBeUndefined();
  expect(wrong({ result: 4 })).toBe('rounds.task.naNeeds');
  expect(wrong({ result: 4, remark: '停机' })).toBeUndefined();
  const optional = { ...number, itemId: 'o', required: 0 };
  expect(toRecords([number, optional], { p: { ...EMPTY, value: ' 0.7 ' }, o: EMPTY })).toEqual([
    { itemId: 'p', value: '0.7', result: null, images: [], remark: '' },
  ]);
});

test('what the company asks for of an abnormal item or of the point is named before it is sent', () => {
  const rule = { label: '异常项照片', labelEn: 'Photos', fieldType: 3, required: 1, min: 2 } as RequiredItem;
  const remark = { ...rule, fieldType: 1, min: 0 };
  const asked = (field: string) => ({ abnormalImages: rule, remark })[field];
  const said = ((key: string, { n }: { n?: number } = {}) => `${key} ${n ?? ''}`) as never;
  const item: Judged = { ...number, needPhoto: 0 };
  const wrong = (entry: object) => errorOf(item, { ...EMPTY, ...entry }, said, asked);
  expect(wrong({ value: '0.7' })).toBeUndefined();
  expect(wrong({ value: '0.9', images: ['a'] })).toBe('rounds.task.askedPhotos 2');
  expect(wrong({ value: '0.9', images: ['a', 'b'] })).toBeUndefined();
  expect(lacking(asked, 'remark', '', said)).toBe('rounds.task.askedText ');
  expect(lacking(asked, 'remark', 'x', said)).toBeUndefined();
  expect(lacking(asked, 'images', [], said)).toBeUndefined();
});
