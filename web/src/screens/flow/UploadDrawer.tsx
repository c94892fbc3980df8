/** Models from files: what the gate says of each first, then all of them deployed, or none. */
import '@/workflow/deploy/deploy.css';
import { FileOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Upload } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { RecordForm, SubmitBar, useRecordForm } from '@/kit/form';
import { Drawer } from '@/kit/overlays';
import { ToneTag } from '@/kit/StateTag';
import { ErrorState, PageSkeleton } from '@/kit/states';
import type { Tone } from '@/kit/tones';
import { useOpener } from '@/kit/useOpener';
import { usePhone } from '@/kit/width';
import { CHANGED } from '@/workflow/deploy/changed';
import { type Terms, TermsFields, useTerms } from '@/workflow/deploy/fields';
import { errorsOf, Problems, warningsOf } from '@/workflow/deploy/Problems';
import { namesIn } from '@/workflow/names';

type Report = Wire<'FileReport'>;

const ENDINGS = '.bpmn,.xml,.zip';
const TONES: Readonly<Record<Report['status'], Tone>> = {
  ready: 'active',
  refused: 'bad',
  deployed: 'good',
  unchanged: 'quiet',
};

/** Names of elements by file; archives stay closed here, so that in them the ids speak. */
type Names = ReadonlyMap<string, ReadonlyMap<string, string>>;
const NOBODY = new Map<string, never>();

function Reports({ reports, names }: { reports: readonly Report[]; names: Names }) {
  const { t } = useTranslation();
  return (
    <ul className="x-report">
      {reports.map(({ file, key, name, status, problems, definitions }) => (
        <li key={file}>
          <div className="x-report-head">
            <ToneTag tone={TONES[status]}>
              {t(`flow.upload.${status}`, { n: definitions[0]?.version ?? '' })}
            </ToneTag>
            <strong>{file}</strong>
            <span className="x-quiet">{[name, key].filter(Boolean).join(' · ')}</span>
          </div>
          {problems.length > 0 && <Problems problems={problems} names={names.get(file) ?? new Map()} />}
        </li>
      ))}
    </ul>
  );
}

/** Reads the files' texts for the names in them, and asks what the gate says; nothing is deployed. */
function useCheck(files: readonly File[]) {
  const language = useLanguage();
  const wire = useTerms();
  return useQuery({
    queryKey: [
      'flow',
      'check',
      files.map(({ name, size, lastModified }) => [name, size, lastModified]),
      language,
    ],
    enabled: files.length > 0,
    gcTime: 0,
    queryFn: async () => {
      const texts = files.map(async (file) => [file.name, isArchive(file) ? '' : await file.text()] as const);
      const names = new Map((await Promise.all(texts)).map(([name, xml]) => [name, namesIn(xml, language)]));
      const { files: reports } = await send(files, { ...wire({}), check: '1' });
      return { reports, names };
    },
  });
}

const isArchive = ({ name }: File) => /\.zip$/i.test(name);

function send(files: readonly File[], terms: Readonly<Record<string, string>>) {
  const body = new FormData();
  for (const file of files) body.append('files', file);
  for (const [name, value] of Object.entries(terms)) body.append(name, value);
  return api.upload('/blade-flow/manager/deploy-upload', body);
}

export function UploadDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const phone = usePhone();
  useOpener();
  const wire = useTerms();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [done, setDone] = useState<readonly Report[]>();
  const check = useCheck(files);
  const handle = useRecordForm<Terms, Wire<'Deployed'>>({
    initial: { note: '', confirm: false },
    submit: (terms) => send(files, wire(terms)),
    invalidates: CHANGED,
    onDone: (answer) => setDone(answer.files),
  });

  const reports = files.length > 0 ? check.data?.reports : undefined;
  const problems = (reports ?? []).flatMap((report) => report.problems);
  const refused = errorsOf(problems).length;
  const mayDeploy = reports !== undefined && refused === 0;
  const bar = done ? (
    <div className="x-bar">
      <Button type="primary" onClick={onClose}>
        {t('kit.close')}
      </Button>
    </div>
  ) : mayDeploy ? (
    <SubmitBar handle={handle} submitText={t('flow.deploy.submit')} onCancel={onClose} />
  ) : (
    <div className="x-bar">
      <Button onClick={onClose}>{t('kit.cancel')}</Button>
    </div>
  );
  return (
    <Drawer
      open
      title={t('flow.upload.title')}
      size={phone ? '100%' : 640}
      onClose={() => (done ? onClose() : handle.leave(onClose))}
      footer={bar}
    >
      {!done && (
        <Upload.Dragger
          height={120}
          multiple
          accept={ENDINGS}
          fileList={files.map((file) => ({ uid: file.name, name: file.name }))}
          beforeUpload={(file, list) => {
            // Asked for each of several, but all of them are chosen at once.
            if (file === list.at(-1)) setFiles(unique([...files, ...list]));
            return false;
          }}
          onRemove={({ name }) => setFiles(files.filter((file) => file.name !== name))}
        >
          <p>
            <FileOutlined /> {t('flow.upload.drop')}
          </p>
          <p className="x-quiet">{t('flow.upload.hint')}</p>
        </Upload.Dragger>
      )}
      {!done && check.error && <ErrorState error={check.error} retry={check.refetch} />}
      {!done && check.isFetching && <PageSkeleton rows={3} />}
      {done && <p role="status">{t('flow.upload.done')}</p>}
      {refused > 0 && <p role="status">{t('flow.deploy.refused', { count: refused })}</p>}
      <Reports reports={done ?? reports ?? []} names={check.data?.names ?? NOBODY} />
      {!done && mayDeploy && (
        <RecordForm handle={handle} narrow note={t('flow.deploy.will')}>
          <TermsFields warnings={warningsOf(problems).length} />
        </RecordForm>
      )}
    </Drawer>
  );
}

/** A file chosen again takes the place of the one with its name. */
function unique(files: readonly File[]): File[] {
  return [...new Map(files.map((file) => [file.name, file])).values()];
}
