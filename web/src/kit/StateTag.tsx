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

/** A word of any origin in a given tone. */
export function ToneTag({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`x-tag x-tone-${tone}`}>
      {TONE_ICONS[tone]}
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
}

export function StateTag({ dict, value, text }: StateTagProps) {
  const dictionary = useDictionary(text ? '' : dict);
  if (value === null || value === undefined || value === '') return <>-</>;
  return <ToneTag tone={toneOf(dict, value)}>{text || dictionary.label(value)}</ToneTag>;
}
