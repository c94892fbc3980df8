import { createEvent, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { draw } from '@/testing/render';
import { Slider, type SliderPicture } from './Slider';

const PICTURE: SliderPicture = {
  key: 'k',
  bgImage: 'data:image/png;base64,b',
  sliderImage: 'data:image/png;base64,s',
  bgWidth: 300,
  bgHeight: 150,
  sliderWidth: 50,
  sliderHeight: 50,
  sliderY: 30,
};

const onReload = vi.fn();
const moved: number[] = [];

function Sliding() {
  const [x, setX] = useState<number>();
  return (
    <Slider
      picture={PICTURE}
      value={x}
      onReload={onReload}
      onChange={(next) => {
        moved.push(next);
        setX(next);
      }}
    />
  );
}

/** `drawn`: how many pixels wide the picture of 300 is on this screen. */
function show(drawn = 300) {
  draw(<Sliding />);
  const handle = screen.getByRole('slider');
  Object.defineProperty(handle.parentElement, 'clientWidth', { value: drawn });
  handle.setPointerCapture = vi.fn();
  return handle;
}

const value = () => Number(screen.getByRole('slider').getAttribute('aria-valuenow'));
const piece = () => (document.querySelector('.x-slider-piece') as HTMLElement).style.left;
const at = (clientX: number, more: object = {}) => ({ clientX, pointerId: 4, button: 0, ...more });

beforeEach(async () => {
  moved.length = 0;
  onReload.mockClear();
  await setLanguage('en-US');
});

test('it says what it is and how far it goes; untouched it is nowhere yet', () => {
  const handle = show();
  expect(handle.getAttribute('aria-label')).toBe('Slide the piece into place');
  expect(handle.getAttribute('tabindex')).toBe('0');
  expect(['min', 'max', 'now'].map((name) => handle.getAttribute(`aria-value${name}`))).toEqual([
    '0',
    '250',
    '0',
  ]);
  expect(screen.getByText('Drag the piece to the gap of its shape')).toBeTruthy();
  expect(moved).toEqual([]);
});

test.each([
  ['{ArrowRight}', [2]],
  ['{ArrowRight}{ArrowRight}{ArrowLeft}', [2, 4, 2]],
  ['{ArrowUp}{ArrowUp}{ArrowDown}', [2, 4, 2]],
  ['{Shift>}{ArrowRight}{ArrowRight}{ArrowLeft}{/Shift}', [10, 20, 10]],
  ['{End}{ArrowRight}', [250, 250]],
  ['{End}{ArrowLeft}{Home}{ArrowLeft}', [250, 248, 0, 0]],
  ['a{Enter} {Escape}', []],
])('keys %s move the piece to %j', async (keys, steps) => {
  show().focus();
  await userEvent.keyboard(keys);
  expect(moved).toEqual(steps);
  expect(value()).toBe(steps.at(-1) ?? 0);
});

test('keys that move it do not scroll the page, others do what they do', () => {
  const handle = show();
  const stopped = (key: string) => {
    const event = createEvent.keyDown(handle, { key });
    fireEvent(handle, event);
    return event.defaultPrevented;
  };
  expect(['ArrowRight', 'ArrowDown', 'Home', 'End'].map(stopped)).toEqual([true, true, true, true]);
  expect(['Tab', 'Enter', 'a'].map(stopped)).toEqual([false, false, false]);
});

test('the mouse takes the piece along, however far it leaves the track', () => {
  const handle = show();
  fireEvent.pointerDown(handle, at(20));
  expect(handle.setPointerCapture).toHaveBeenCalledWith(4);
  expect(handle.className).toContain('x-slider-held');
  fireEvent.pointerMove(handle, at(80));
  expect(value()).toBe(60);
  expect(piece()).toBe('20%');
  fireEvent.pointerMove(handle, at(2000));
  expect(value()).toBe(250);
  fireEvent.pointerMove(handle, at(-50));
  expect(value()).toBe(0);
  fireEvent.pointerMove(handle, at(91.4));
  fireEvent.pointerUp(handle, at(91.4));
  expect(value()).toBe(71);
  expect(handle.className).not.toContain('x-slider-held');
  expect(screen.queryByText('Drag the piece to the gap of its shape')).toBeNull();
});

test('taken a second time it goes on from where it lies', () => {
  const handle = show();
  fireEvent.pointerDown(handle, at(0));
  fireEvent.pointerMove(handle, at(100));
  fireEvent.pointerUp(handle, at(100));
  fireEvent.pointerDown(handle, at(110));
  fireEvent.pointerMove(handle, at(115));
  expect(value()).toBe(105);
});

test('on a small screen the offset is still in pixels of the picture', () => {
  const handle = show(150);
  fireEvent.pointerDown(handle, at(10));
  fireEvent.pointerMove(handle, at(60));
  expect(value()).toBe(100);
  fireEvent.pointerUp(handle, at(60));
  fireEvent.pointerDown(handle, at(60));
  fireEvent.pointerMove(handle, at(70));
  expect(value()).toBe(120);
});

test.each(['pointerUp', 'pointerCancel'] as const)('after %s it stays where it is', (end) => {
  const handle = show();
  fireEvent.pointerDown(handle, at(0));
  fireEvent.pointerMove(handle, at(40));
  fireEvent[end](handle, at(40));
  fireEvent.pointerMove(handle, at(90));
  expect(value()).toBe(40);
  expect(handle.className).not.toContain('x-slider-held');
});

test('another button of the mouse does not take it', () => {
  const handle = show();
  fireEvent.pointerDown(handle, at(0, { button: 2 }));
  fireEvent.pointerMove(handle, at(40));
  expect(moved).toEqual([]);
});

test('another picture can be had', async () => {
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Another picture' }));
  expect(onReload).toHaveBeenCalledOnce();
  expect(moved).toEqual([]);
});
