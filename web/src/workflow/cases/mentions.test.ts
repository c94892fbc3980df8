import { expect, test } from 'vitest';
import { mentionedIn, wordsOf } from './mentions';

const people = [
  { id: '1', name: '张三' },
  { id: '2', name: '张三丰' },
  { id: '3', name: 'A. (x)' },
];

test('of two names the longer one that fits is meant, and who was deleted from the text is not mentioned', () => {
  expect(mentionedIn('@张三丰 请看', people).map(({ id }) => id)).toEqual(['2']);
  expect(mentionedIn('@张三 @A. (x)', people).map(({ id }) => id)).toEqual(['1', '3']);
  expect(mentionedIn('张三', people)).toEqual([]);
});

test('a text is cut at its mentions, and nothing of it is lost', () => {
  const parts = wordsOf('请@张三 看，@李四', ['张三']);
  expect(parts.map(({ text, isMention }) => [text, isMention])).toEqual([
    ['请', false],
    ['@张三', true],
    [' 看，@李四', false],
  ]);
  expect(wordsOf('好', [])).toEqual([{ key: '0', text: '好', isMention: false }]);
});
