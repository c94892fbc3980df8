/** A state as a word with a tone and an icon, never a colour alone. */
import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  ExclamationCircleOutlined,
  HourglassOutlined,
  PlayCircleOutlined,
  StopOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useDictionary } from './dictionary';
import { type Tone, toneOf } from './tones';

export const TONE_ICONS: Readonly<Record<Tone, ReactNode>> = {
  quiet: <ClockCircleOutlined />,
  active: <PlayCircleOutlined />,
  waiting: <HourglassOutlined />,
  good: <CheckCircleOutlined />,
  bad: <ExclamationCircleOutlined />,
  off: <StopOutlined />,
};

/** A word of any origin in a given tone; a grade, such as a priority, is no state and has no icon of one. */
export function ToneTag({ tone, grade, children }: { tone: Tone; grade?: boolean; children: ReactNode }) {
  return (
    <span className={`x-tag x-tone-${tone}`}>
      {!grade && TONE_ICONS[tone]}
      {children}
    </span>
  );
}

interface StateTagProps {
  /** The dictionary's code. */
  dict: string;
  value: string | number | null | undefined;
  /** The word, when the row brings it along. */
  text?: string | null;
  grade?: boolean;
}

export function StateTag({ dict, value, text, grade }: StateTagProps) {
  const dictionary = useDictionary(text ? '' : dict);
  if (value === null || value === undefined || value === '') return <>-</>;
  return (
    <ToneTag tone={toneOf(dict, value)} grade={grade}>
      {text || dictionary.label(value)}
    </ToneTag>
  );
}
