/** Publishing a draft as it is stored: what the gate says of it, for whom, and why. */
import './deploy.css';
import { useQuery } from '@tanstack/react-query';
import { App, Button } from 'antd';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { DetailDrawer } from '@/kit/DetailDrawer';
import { FormDrawer } from '@/kit/FormDrawer';
import { namesIn } from '../names';
import { CHANGED } from './changed';
import { type Terms, TermsFields, useTerms } from './fields';
import { Impact } from './Impact';
import { errorsOf, Problems, warningsOf } from './Problems';

interface DeployFormProps {
  draft: { id: string; modelKey: string; name: string; category: string };
  onDone?: (deployed: Wire<'Deployed'>) => void;
  onClose: () => void;
}

/** The report of the stored draft, and the names of its elements. */
function useReport(id: string) {
  const language = useLanguage();
  return useQuery({
    queryKey: ['flow', 'report', id, language],
    // What was said before the last change is worth nothing.
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const [report, draft] = await Promise.all([
        api.post('/blade-flow/model/validate', { id }),
        api.get('/blade-flow/model/detail', { id }, signal),
      ]);
      return { problems: report.problems, names: namesIn(draft.xml, language), xml: draft.xml };
    },
  });
}

export function DeployForm({ draft, onDone, onClose }: DeployFormProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const wire = useTerms();
  const { data, error, refetch } = useReport(draft.id);
  const title = t('flow.deploy.title', { name: draft.name });
  if (data && errorsOf(data.problems).length > 0) {
    return (
      <DetailDrawer
        title={title}
        onClose={onClose}
        actions={<Button onClick={onClose}>{t('kit.close')}</Button>}
      >
        <p>{t('flow.deploy.refused', { count: errorsOf(data.problems).length })}</p>
        <Problems problems={data.problems} names={data.names} />
      </DetailDrawer>
    );
  }
  const warnings = data ? warningsOf(data.problems).length : 0;
  return (
    <FormDrawer<Terms, Wire<'Deployed'>>
      title={title}
      size="small"
      note={t('flow.deploy.will')}
      loading={!data}
      loadError={data ? undefined : error}
      retry={refetch}
      initial={{ category: draft.category || undefined, note: '', confirm: false }}
      submitText={t('flow.deploy.submit')}
      submit={(terms) =>
        api.post('/blade-flow/model/deploy', undefined, { modelId: draft.id, ...wire(terms) })
      }
      invalidates={CHANGED}
      onDone={(deployed) => {
        const [report] = deployed.files;
        const version = report?.definitions[0]?.version;
        message.success(
          t(report?.status === 'unchanged' ? 'flow.deploy.unchanged' : 'flow.deploy.done', { n: version }),
        );
        onDone?.(deployed);
      }}
      onClose={onClose}
    >
      {data && <Impact draftId={draft.id} modelKey={draft.modelKey} xml={data.xml} />}
      {data && data.problems.length > 0 && <Problems problems={data.problems} names={data.names} />}
      <TermsFields warnings={warnings} />
    </FormDrawer>
  );
}
