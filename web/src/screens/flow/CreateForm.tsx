/** A new model: empty, from a template or from a file; or a copy of one under a key of its own. Then to the designer. */
import { InboxOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Alert, Form, Radio, Upload } from 'antd';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { ApiError, api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { Field, SelectField, TextAreaField, TextField } from '@/kit/fields';
import { ErrorLine } from '@/kit/states';
import { CHANGED } from '@/workflow/deploy/changed';
import { useCategories } from '@/workflow/deploy/fields';
import { FoundProblems } from '@/workflow/Found';
import { blankDrawing, type DrawingFile, readDrawing, renamedDrawing } from './drawings';
import { freeKey, KEY } from './keys';
import { designPath, loadDrawing, type Model, newest, type Reference } from './queries';

const SOURCES = ['blank', 'template', 'file'] as const;
/** Models are offered as templates from one page; nobody has more. */
const MOST = 200;

interface Values {
  source?: (typeof SOURCES)[number];
  template?: string;
  file?: DrawingFile;
  modelKey: string;
  name: string;
  category?: string | null;
  description?: string;
}

interface CreateFormProps {
  /** What is copied, and which of its drawings. */
  copied?: { model: Model; reference: Reference };
  onClose: () => void;
}

/** The models that the company sees: those of the product, and its own. */
function useTemplates(enabled: boolean) {
  return useQuery({
    queryKey: ['flow', 'templates'],
    queryFn: ({ signal }) => api.get('/blade-flow/model/overview', { current: 1, size: MOST }, signal),
    select: ({ records }) => records,
    enabled,
  });
}

export function CreateForm({ copied, onClose }: CreateFormProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: templates = [], isSuccess } = useTemplates(true);
  /** What is drawn, and what the history says of where it comes from. */
  const drawn = async ({ modelKey, name, source, template, file }: Values): Promise<[string, string]> => {
    const model = copied?.model ?? templates.find(({ key }) => source === 'template' && key === template);
    const reference = copied?.reference ?? (model && newest(model));
    const before = source === 'file' ? file?.xml : reference && (await loadDrawing(reference));
    if (before === undefined) return [blankDrawing(modelKey, name), t('flow.create.begun')];
    const xml = renamedDrawing(before, modelKey, name);
    if (xml === undefined) throw new ApiError(0, t('work.diagram.failed'));
    return [xml, model ? t('flow.create.copied', { name: model.name }) : t('flow.create.imported')];
  };
  return (
    <FormDrawer<Values, Wire<'ModelSaved'>>
      title={copied ? t('flow.create.copyTitle', { name: copied.model.name }) : t('flow.create.title')}
      size="small"
      note={t(copied ? 'flow.create.copyWill' : 'flow.create.will')}
      initial={{ source: 'blank', category: copied?.model.category || undefined }}
      submit={async (values) => {
        const [xml, note] = await drawn(values);
        const { source: _, template: __, file: ___, ...said } = values;
        return api.post('/blade-flow/model/submit', { ...said, category: said.category ?? '', xml, note });
      }}
      submitText={t('flow.create.submit')}
      invalidates={CHANGED}
      onDone={({ id }) => navigate(designPath(id))}
      onClose={onClose}
    >
      {!copied && <Source templates={templates} />}
      {isSuccess && <KeyProposal taken={templates} copied={copied?.model.key} />}
      <TextField name="name" label={t('flow.name')} required max={80} />
      <TextField
        name="modelKey"
        label={t('flow.key')}
        hint={t('flow.create.keyHint')}
        required
        max={60}
        rules={[{ pattern: KEY, message: t('flow.create.keyFault') }]}
      />
      <SelectField name="category" label={t('flow.category')} options={useCategories()} required />
      <TextAreaField name="description" label={t('flow.description')} max={500} />
    </FormDrawer>
  );
}

/** Puts a free key into the field, until somebody writes one there. */
function KeyProposal({ taken, copied }: { taken: readonly { key: string }[]; copied?: string }) {
  const form = Form.useFormInstance<Values>();
  const { name, source, template } = Form.useWatch([], form) ?? {};
  const before = copied ?? (source === 'template' ? template : undefined);
  const isOfFile = source === 'file';
  useEffect(() => {
    if (isOfFile || form.isFieldTouched('modelKey')) return;
    const keys = new Set(taken.map(({ key }) => key));
    const value = freeKey(before ?? '', name ?? '', keys);
    // What is proposed is nobody's work, about which leaving would ask.
    if (value !== form.getFieldValue('modelKey'))
      form.setFields([{ name: 'modelKey', value, touched: false, errors: [] }]);
  }, [form, taken, before, name, isOfFile]);
  return null;
}

/** What the drawing begins with. */
function Source({ templates }: { templates: readonly Wire<'OverviewRow'>[] }) {
  const { t } = useTranslation();
  const form = Form.useFormInstance<Values>();
  const source = Form.useWatch('source', form);
  return (
    <>
      <Field name="source" label={t('flow.create.source')} kind="choose" full>
        <Radio.Group
          optionType="button"
          options={SOURCES.map((value) => ({ value, label: t(`flow.create.sources.${value}`) }))}
        />
      </Field>
      {source === 'template' && (
        <SelectField
          name="template"
          label={t('flow.create.template')}
          full
          required
          options={templates
            .filter((model) => newest(model))
            .map(({ key, name }) => ({ value: key, label: `${name} (${key})` }))}
        />
      )}
      {source === 'file' && <FileField />}
    </>
  );
}

function FileField() {
  const { t } = useTranslation();
  const form = Form.useFormInstance<Values>();
  const file = Form.useWatch('file', form);
  const label = t('flow.create.file');
  return (
    <>
      <Field
        name="file"
        label={label}
        kind="choose"
        full
        required
        valueType="object"
        rules={[
          {
            validator: (_rule, read?: DrawingFile) =>
              read?.refused
                ? Promise.reject(new Error(t(`designer.import.${read.refused}`)))
                : Promise.resolve(),
          },
        ]}
      >
        <FileInput
          onRead={({ key, name }) => {
            if (!form.getFieldValue('name') && name) form.setFieldsValue({ name });
            if (!form.isFieldTouched('modelKey') && KEY.test(key)) form.setFieldsValue({ modelKey: key });
          }}
        />
      </Field>
      {file && !file.refused && <Report xml={file.xml} />}
    </>
  );
}

interface FileInputProps {
  id?: string;
  value?: DrawingFile;
  onChange?: (file: DrawingFile) => void;
  onRead: (file: DrawingFile) => void;
}

function FileInput({ id, value, onChange, onRead }: FileInputProps) {
  const { t } = useTranslation();
  return (
    <Upload.Dragger
      id={id}
      accept=".bpmn,.bpmn20.xml,.xml"
      maxCount={1}
      showUploadList={false}
      beforeUpload={async (file) => {
        const read = readDrawing(file.name, await file.text());
        onChange?.(read);
        if (!read.refused) onRead(read);
        return false;
      }}
    >
      <p>
        <InboxOutlined /> {value?.file ?? t('designer.import.choose')}
      </p>
    </Upload.Dragger>
  );
}

/** What of the file will not run here, by element. */
function Report({ xml }: { xml: string }) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ['flow', 'validate', xml],
    queryFn: () => api.post('/blade-flow/model/validate', { xml }),
    gcTime: 0,
  });
  if (error) return <ErrorLine error={error} />;
  if (!data || data.problems.length === 0) return null;
  return (
    <Alert
      className="x-full x-file-found"
      type="warning"
      showIcon
      title={t('flow.create.found')}
      description={<FoundProblems xml={xml} problems={data.problems} />}
    />
  );
}
