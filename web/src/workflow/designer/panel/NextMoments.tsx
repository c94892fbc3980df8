/** When a time comes next, in words and as moments, as the server reads it; or why it is none. */
import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { useDebounced } from '@/kit/useDebounced';
import { moment } from '@/lib/dates';

interface NextMomentsProps {
  timeKind: Wire<'TimesInputRequest'>['timeKind'];
  text: string;
  isStart: boolean;
}

export function NextMoments({ timeKind, text, isStart }: NextMomentsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const settled = useDebounced(text);
  const { data } = useQuery({
    queryKey: ['flow', 'times', timeKind, settled, isStart, language],
    queryFn: () => api.post('/blade-flow/model/times', { timeKind, text: settled, isStart }),
    enabled: settled !== '',
    placeholderData: (before) => before,
  });
  if (!data || settled === '') return null;
  if (data.problem)
    return (
      <p className="x-entry-fault" role="alert">
        {data.problem}
      </p>
    );
  return (
    <section aria-label={t('panel.deadline.next')}>
      {data.words && <p>{data.words}</p>}
      {data.next.length > 0 ? (
        <ul className="x-plain x-hint">
          {data.next.map((at) => (
            <li key={at}>{moment(at)}</li>
          ))}
        </ul>
      ) : (
        !text.includes('{') && <p className="x-hint">{t('panel.deadline.over')}</p>
      )}
    </section>
  );
}
