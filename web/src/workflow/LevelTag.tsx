/** How grave a finding of the deployment check is: an error or a warning, each with a sign of its own. */
import { ExclamationCircleOutlined, WarningOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';

const LOOKS = {
  error: ['bad', <ExclamationCircleOutlined key="error" />],
  warning: ['waiting', <WarningOutlined key="warning" />],
} as const;

export function LevelTag({ level, children }: { level: keyof typeof LOOKS; children: ReactNode }) {
  const [tone, icon] = LOOKS[level];
  return (
    <span className={`x-tag x-tone-${tone}`}>
      {icon}
      {children}
    </span>
  );
}
