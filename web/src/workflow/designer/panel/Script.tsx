/** The script of a file from another engine, to read: it sets values where it can be translated, and never runs as such. */
import { Alert } from 'antd';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import type { GroupProps } from './group';
import { textOf } from './model';

export function Script({ of }: GroupProps) {
  const { t } = useTranslation();
  const { problems } = useDesigner();
  const script = textOf(of, 'script');
  const refused = problems?.find(({ element, code }) => element === of.id && code === 'script');
  return (
    <>
      {problems && script && (
        <Alert
          type={refused ? 'error' : 'info'}
          showIcon
          title={t(refused ? 'panel.script.refused' : 'panel.script.runs')}
          description={refused?.message}
        />
      )}
      {script ? (
        <section aria-label={t('panel.script.text')}>
          <h3>{t('panel.script.text')}</h3>
          {textOf(of, 'scriptFormat') && <span className="x-hint">{textOf(of, 'scriptFormat')}</span>}
          <pre className="x-script">{script}</pre>
        </section>
      ) : (
        <p className="x-hint">{t('panel.script.none')}</p>
      )}
    </>
  );
}
