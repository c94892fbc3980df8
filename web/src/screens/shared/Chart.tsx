/** Bars and lines over categories, such as months; the same numbers are there as a table, for keyboard and reader. */
import { useEffect, useRef } from 'react';
import { useTranslation } from '@/i18n';
import { usePhone } from '@/kit/width';
import type { EChartsType } from './echart';
import './chart.css';

export interface Series {
  name: string;
  values: readonly (number | null)[];
  kind: 'bar' | 'line';
  /** A colour of the style sheets, without the leading --x-. */
  tone: 'accent' | 'waiting' | 'bad' | 'good' | 'text-3';
  /** Bars of one stack stand on each other. */
  stack?: string;
  /** Of a rate, which has the axis at the right, from 0 to 100. */
  percent?: boolean;
}

interface ChartProps {
  /** What the picture says, and what the table is called. */
  label: string;
  /** What the categories are: the head of the table's first column. */
  over: string;
  categories: readonly string[];
  series: readonly Series[];
  height?: number;
  /** Whether each category is named, such as a symptom; of months and days some may be left out. */
  named?: boolean;
}

/** What a number that is not known is shown as. */
const UNKNOWN = '-';
const shown = (value: number | null | undefined, percent?: boolean) => {
  if (value === null || value === undefined) return UNKNOWN;
  return percent ? `${value}%` : value.toLocaleString('en-US');
};

/** Stripes, so that one part of a bar is told from the other without its colour. */
const STRIPES = {
  dashArrayX: [1, 0],
  dashArrayY: [2, 3],
  rotation: -Math.PI / 4,
  color: 'rgba(255,255,255,0.55)',
};

function options(
  { categories, series, named }: ChartProps,
  colour: (name: string) => string,
  font: string,
  { phone, width }: { phone: boolean; width: number },
) {
  const turned = phone && categories.length > 8;
  const axis = {
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: { color: colour('text-2') },
  };
  const split = { splitLine: { lineStyle: { color: colour('line') } } };
  return {
    animation: false,
    // By its name: texts are measured on a canvas, which does not know what `inherit` would be.
    textStyle: { fontFamily: font },
    grid: { left: 8, right: 8, top: 36, bottom: 4, containLabel: true },
    legend: {
      type: 'scroll',
      top: 0,
      left: 0,
      itemHeight: 10,
      itemGap: 16,
      textStyle: { color: colour('text-2'), fontFamily: font },
    },
    tooltip: {
      trigger: 'axis',
      backgroundColor: colour('raised'),
      borderColor: colour('line'),
      textStyle: { color: colour('text') },
      confine: true,
    },
    xAxis: {
      type: 'category',
      data: [...categories],
      ...axis,
      axisLine: { lineStyle: { color: colour('line') } },
      axisLabel: {
        color: colour('text-2'),
        ...(named && !turned
          ? {
              interval: 0,
              width: Math.max(32, (width - 80) / Math.max(1, categories.length) - 4),
              overflow: 'break',
            }
          : { hideOverlap: !named, interval: named ? 0 : undefined, rotate: turned ? 45 : 0 }),
      },
    },
    yAxis: [
      { type: 'value', minInterval: 1, ...axis, ...split },
      {
        type: 'value',
        min: 0,
        max: 100,
        show: series.some(({ percent }) => percent),
        ...axis,
        axisLabel: { color: colour('text-2'), formatter: '{value}%' },
        splitLine: { show: false },
      },
    ],
    series: series.map(({ name, values, kind, tone, stack, percent }) => ({
      name,
      type: kind,
      data: [...values],
      stack,
      yAxisIndex: percent ? 1 : 0,
      barMaxWidth: 28,
      symbolSize: 6,
      itemStyle: { color: colour(tone), decal: stack && tone !== 'accent' ? STRIPES : undefined },
      lineStyle: { type: percent ? 'dashed' : 'solid' },
      tooltip: { valueFormatter: (value: unknown) => shown(value as number | null, percent) },
    })),
  };
}

export function Chart(props: ChartProps) {
  const { label, over, categories, series, height = 240 } = props;
  const { t } = useTranslation();
  const phone = usePhone();
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<EChartsType>(undefined);
  const newest = useRef(props);
  newest.current = props;
  const look = JSON.stringify([categories, series, phone]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` stands for all that is drawn
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let gone = false;
    const styles = getComputedStyle(element);
    const colour = (name: string) => styles.getPropertyValue(`--x-${name}`).trim();
    const sized = new ResizeObserver(() => drawn.current?.resize());
    const font = styles.fontFamily;
    import('./echart').then(({ init }) => {
      if (gone) return;
      const room = { phone, width: element.clientWidth };
      drawn.current ??= init(element, undefined, { renderer: 'svg' });
      drawn.current.setOption(options(newest.current, colour, font, room), { notMerge: true });
      sized.observe(element);
    });
    return () => {
      gone = true;
      sized.disconnect();
    };
  }, [look]);
  useEffect(
    () => () => {
      drawn.current?.dispose();
      drawn.current = undefined;
    },
    [],
  );

  return (
    <figure className="x-figure-chart">
      <figcaption>{label}</figcaption>
      <div ref={box} role="img" aria-label={label} style={{ height }} />
      <details>
        <summary>{t('dashboard.asTable')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
        <section className="x-figure-table" tabIndex={0} aria-label={label}>
          <table>
            <thead>
              <tr>
                <th scope="col">{over}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {categories.map((category, index) => (
                <tr key={category}>
                  <th scope="row">{category}</th>
                  {series.map(({ name, values, percent }) => (
                    <td key={name}>{shown(values[index], percent)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
