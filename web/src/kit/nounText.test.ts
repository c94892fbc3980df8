import { expect, test } from 'vitest';
import { inSentence } from '@/lib/sentence';
import { shownName, shownText } from './nounText';

test('what refers by an id is shown by its name; a code that ends alike is shown itself', () => {
  const fields = {
    deptId: { label: ['部门', 'Department'], kind: 'id' },
    deptName: { label: ['部门', 'Department'], kind: 'text' },
    tenantId: { label: ['租户编号', 'Tenant id'], kind: 'text' },
    tenantName: { label: ['租户名称', 'Tenant name'], kind: 'text' },
  } as const;
  expect(shownName({ fields }, 'deptId')).toBe('deptName');
  expect(shownName({ fields }, 'tenantId')).toBe('tenantId');
});

test('a label within a sentence begins small, but for abbreviations', () => {
  expect(['Tenant name', 'HR', 'E-mail', '账号'].map(inSentence)).toEqual([
    'tenant name',
    'HR',
    'e-mail',
    '账号',
  ]);
});

test('numbers have marks at the thousands, and no places that say nothing', () => {
  const hours = { label: ['间隔', 'Interval'], kind: 'decimal', decimals: 1 } as const;
  expect(['1200.0', '0.5', '7.0'].map((value) => shownText(hours, value))).toEqual(['1,200', '0.5', '7']);
});
