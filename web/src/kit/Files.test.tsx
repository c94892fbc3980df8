import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { draw } from '@/testing/render';
import { Files } from './Files';
import { Voice } from './Voice';

beforeEach(() => setLanguage('en-US'));

test('files stand with their names and sizes, and are saved under them', () => {
  const file = { extension: 'pdf', seconds: null };
  draw(
    <Files
      files={[
        { ...file, link: '/f/1?mark=a', name: 'plan.pdf', size: 300 },
        { ...file, link: '/f/2?mark=b', name: 'log.pdf', size: 2_500_000 },
      ]}
    />,
  );
  const shown = screen.getAllByRole('listitem').map((row) => {
    const link = row.querySelector('a') as HTMLAnchorElement;
    return [row.textContent, link.getAttribute('href'), link.download];
  });
  expect(shown).toEqual([
    ['plan.pdf1 KB', '/f/1?mark=a', 'plan.pdf'],
    ['log.pdf2.4 MB', '/f/2?mark=b', 'log.pdf'],
  ]);
});

test('a recording has a player and says how long it is', () => {
  draw(<Voice link="/f/3" seconds={60} />);
  expect(screen.getByLabelText('Listen to the recording')).toHaveProperty('tagName', 'AUDIO');
  expect(screen.getByText('1:00')).toBeTruthy();
});
