import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import { TrendDrawer } from './Trend';

const forecast = {
  limitKind: 'upper',
  limitValue: 75,
  crossesOn: '2026-12-12',
  earliest: '2026-12-05',
  latest: '2026-12-20',
  slopePerDay: 0.25,
  level: 69.5,
  asOf: '2026-11-20',
  since: '2026-10-01',
  readings: 41,
};

function trend(more: object) {
  serve({
    'GET /yuzhu-equip/inspectorderrecord/getTrend': () => ({
      itemId: 'i1',
      itemName: 'Temperature',
      pointName: 'Bearing',
      machineName: 'Pump',
      unit: '℃',
      decimals: 0,
      lower: null,
      warnLower: null,
      warnUpper: null,
      upper: 75,
      values: [
        { time: '2026-10-01 09:00:00', value: 57, result: 1, orderId: '1', orderNo: 'XJ1' },
        { time: '2026-11-20 09:00:00', value: 70, result: 1, orderId: '2', orderNo: 'XJ2' },
      ],
      forecast: null,
      noForecast: '',
      ...more,
    }),
  });
  return draw(<TrendDrawer itemId="i1" itemName="Temperature" pointId="p1" onClose={() => {}} />);
}

const ray = () => document.querySelector('.x-trend-ray');
const band = () => document.querySelector('.x-trend-band');
const numbers = (element: Element | null, ...names: string[]) =>
  names.map((name) => Number(element?.getAttribute(name)));

beforeEach(async () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T08:00:00'), toFake: ['Date'] });
  await setLanguage('en-US');
  beSignedIn();
  return () => vi.useRealTimers();
});

test('a forecast is said in a sentence and drawn from today to the limit', async () => {
  trend({ forecast });
  await screen.findByText('By this trend the upper limit 75℃ is reached about 12 Dec (5–20 Dec)');
  screen.getByText('From 41 readings since 2026-10-01');
  const limit = document.querySelector('.x-trend-limit');
  const [x1 = 0, x2 = 0, y2] = numbers(ray(), 'x1', 'x2', 'y2');
  expect(y2).toBeCloseTo(numbers(limit, 'y1')[0] ?? 0);
  const dots = [...document.querySelectorAll('circle')].map((dot) => Number(dot.getAttribute('cx')));
  expect(x1).toBeLessThan((dots.at(-1) ?? 0) + 1);
  expect(x2).toBeGreaterThan(x1);
  // The frame ends with the last day of the range: 80 days from the first reading.
  const right = numbers(limit, 'x2')[0] ?? 0;
  const points = (band()?.getAttribute('points') ?? '').split(' ').map((pair) => pair.split(',').map(Number));
  expect(points).toHaveLength(3);
  expect(points[2]?.[0]).toBeGreaterThan(x2);
  expect(points[2]?.[0]).toBeLessThanOrEqual(right);
});

test('a range that ends beyond the horizon is cut there', async () => {
  trend({ forecast: { ...forecast, latest: '2027-06-01' } });
  await screen.findByText(/is reached about 12 Dec \(5 Dec – 1 Jun\)$/);
  const points = (band()?.getAttribute('points') ?? '').split(' ').map((pair) => pair.split(',').map(Number));
  expect(points).toHaveLength(4);
  expect(points[2]?.[0]).toBe(points[3]?.[0]);
});

test('in Chinese alike', async () => {
  await setLanguage('zh-CN');
  trend({ forecast: { ...forecast, limitKind: 'warnUpper' } });
  await screen.findByText('按目前趋势，约12月12日达到预警上限75℃（12月5日–20日）');
});

test.each([
  ['few', 'No forecast: too few readings since the last change.'],
  ['flat', 'No forecast: the values are steady.'],
  ['far', 'By this trend no limit is reached within 90 days.'],
])('without a forecast it says why: %s', async (noForecast, text) => {
  trend({ noForecast });
  await screen.findByText(text);
  expect(ray()).toBeNull();
});

test('of the past it says nothing', async () => {
  trend({});
  await screen.findByRole('img');
  expect(document.querySelector('.x-trend-said')).toBeNull();
});
