import { cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { keepSession } from '@/session/session';
import { beSignedIn, draw, TOKEN } from '@/testing/render';
import { type Designer, DesignerContext } from '../context';
import { Side } from './Side';

/** Nothing is chosen: the panel says so, and asks nothing of a drawing. */
const nothing = { selected: undefined, language: 'en-US' } as Designer;
const show = () =>
  draw(
    <DesignerContext value={nothing}>
      <section className="x-designer">
        <input aria-label="name" />
        <Side />
      </section>
    </DesignerContext>,
  );
const side = () => screen.getByRole('complementary', { name: 'Properties' });
const edge = () => screen.getByRole('separator', { name: 'Width of the properties' });
/** Whether what the panel says is in sight. */
const isOpen = () =>
  screen.getByText('Select an element to edit its properties.').closest('[hidden]') === null;
const widthOf = () => Number.parseInt(side().style.width, 10);

beforeEach(async () => {
  localStorage.clear();
  await setLanguage('en-US');
  beSignedIn();
  Object.defineProperty(window, 'innerWidth', { value: 1440, configurable: true });
});

test('the panel folds by button and by key, and is folded still the next time', () => {
  show();
  expect(isOpen()).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Fold the properties' }));
  expect(isOpen()).toBe(false);
  expect(screen.queryByRole('separator')).toBeNull();
  cleanup();
  show();
  expect(isOpen()).toBe(false);
  fireEvent.keyDown(document.body, { key: 'p' });
  expect(isOpen()).toBe(true);
  // What is typed is typed, and what lies over the designer has keys of its own.
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'name' }), { key: 'p' });
  const over = document.body.appendChild(document.createElement('div'));
  fireEvent.keyDown(over, { key: 'p' });
  fireEvent.keyDown(document.body, { key: 'p', ctrlKey: true });
  over.remove();
  expect(isOpen()).toBe(true);
});

test('its edge goes by keys within limits, a double click resets it, and another person has another width', () => {
  show();
  expect(widthOf()).toBe(374);
  fireEvent.keyDown(edge(), { key: 'ArrowLeft' });
  expect(widthOf()).toBe(390);
  fireEvent.keyDown(edge(), { key: 'ArrowRight' });
  fireEvent.keyDown(edge(), { key: 'ArrowRight' });
  expect(widthOf()).toBe(358);
  fireEvent.keyDown(edge(), { key: 'End' });
  expect([widthOf(), edge().getAttribute('aria-valuenow')]).toEqual([720, '720']);
  fireEvent.keyDown(edge(), { key: 'ArrowLeft' });
  expect(widthOf()).toBe(720);
  fireEvent.keyDown(edge(), { key: 'Home' });
  fireEvent.keyDown(edge(), { key: 'ArrowRight' });
  expect(widthOf()).toBe(260);
  cleanup();
  show();
  expect(widthOf()).toBe(260);
  cleanup();
  keepSession({ ...TOKEN, user_id: '99' });
  show();
  expect(widthOf()).toBe(374);
  cleanup();
  beSignedIn();
  show();
  fireEvent.doubleClick(edge());
  expect(widthOf()).toBe(374);
});
