import { expect, test } from 'vitest';
import { blankDrawing, renamedDrawing } from './drawings';
import { comparePath, followPath, parseReference } from './queries';

test('an address names drawings, and nothing else is taken for one', () => {
  expect(parseReference('draft', '5')).toEqual({ kind: 'draft', id: '5' });
  expect(parseReference('draft:7', '5')).toEqual({ kind: 'draft', id: '5', version: 7 });
  expect(parseReference('deployed:12', '')).toEqual({ kind: 'deployed', id: '12' });
  for (const odd of [null, '', 'draft:x', 'deployed:', 'deployed:1&id=2', 'other:1'])
    expect(parseReference(odd, '5')).toBeUndefined();
  expect(parseReference('draft:7', '')).toBeUndefined();
});

test('what is compared and what is followed stand in the address', () => {
  const [from, to] = [
    { kind: 'deployed', id: '9' } as const,
    { kind: 'draft', id: '5', version: 2 } as const,
  ];
  expect(comparePath('a b', '5', from, to)).toBe(
    '/flow/model/compare?key=a+b&from=deployed%3A9&to=draft%3A2&draft=5',
  );
  expect(followPath({ key: 'leave', processId: '9' }, 'parked')).toBe(
    '/flow/follow?processDefinitionKey=leave&processDefinitionId=9&state=parked',
  );
});

test('a copy has its key wherever the old one was meant, and no English name that would not fit', () => {
  const xml = blankDrawing('old', 'Old <1>').replace('<process ', '<process xw:nameEn="Old one" ');
  const file = new DOMParser().parseFromString(renamedDrawing(xml, 'fresh', 'New & "own"') ?? '', 'text/xml');
  const process = file.querySelector('process');
  expect(process?.getAttribute('id')).toBe('fresh');
  expect(process?.getAttribute('name')).toBe('New & "own"');
  expect(process?.hasAttributeNS('urn:xunwei:bpmn', 'nameEn')).toBe(false);
  expect(file.querySelector('[id="plane"]')?.getAttribute('bpmnElement')).toBe('fresh');
  expect(renamedDrawing('<nothing/>', 'fresh', 'New')).toBeUndefined();
});
