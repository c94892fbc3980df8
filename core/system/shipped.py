"""The dictionaries that the product brings: a line each, its code, its name, then key and name of every value."""
# ruff: noqa: E501  -- one dictionary a line, so that the table can be compared with the specification

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_SYSTEM = """
sex 性别|Sex: 1 男|Male; 2 女|Female; 3 未知|Not stated
notice 通知类型|Notice kind: 1 发布通知|Announcement; 2 批转通知|Forwarded with approval; 3 转发通知|Forwarded; 4 指示通知|Instruction; 5 任免通知|Appointment; 6 事务通知|Routine
menu_category 菜单类型|Menu entry kind: 1 菜单|Menu; 2 按钮|Button
button_func 按钮功能|Button place: 1 工具栏|Toolbar; 2 操作栏|Row; 3 工具操作栏|Toolbar and row
yes_no 是否|Yes or no: 1 否|No; 2 是|Yes
data_scope_type 数据权限|Data scope: 1 全部可见|All; 2 本人可见|Own; 3 所在机构可见|Own department; 4 所在机构及子级可见|Own department and below; 5 自定义|Custom
api_scope_type 接口权限|API scope: 1 系统接口|System API; 2 业务接口|Business API
post_category 岗位类型|Position category: 1 高层|Senior; 2 中层|Middle; 3 基层|Front line; 4 其他|Other
org_category 机构类型|Department category: 1 公司|Company; 2 部门|Department; 3 小组|Group
user_type 用户平台|User platform: 1 WEB|Web; 2 APP|App; 3 OTHER|Other
region 行政区划|Region level: 0 国家|Country; 1 省份/直辖市|Province; 2 地市|Prefecture; 3 区县|County; 4 乡镇|Township; 5 村委|Village
flow 流程分类|Process category: 1 请假|Leave; 2 维修|Repair; 3 保养|Maintenance; 4 加入审核|Join review
"""

_BUSINESS = """
equip_tag_type 标牌类型|Tag type: 1 设备标牌|Asset plate; 2 点位标牌|Point plate; 3 分类标签|Class label; 4 故障现象|Symptom; 5 故障原因|Cause; 6 处理措施|Action; 7 停机原因|Stoppage reason
tag_carrier 标牌载体|Tag carrier: 1 二维码|QR code; 2 NFC|NFC; 3 二维码+NFC|QR code and NFC
machine_node_type 设备层级|Asset level: 1 厂区|Site; 2 车间|Workshop; 3 产线/区域|Line/Area; 4 设备|Asset; 5 部件|Component
machine_run_state 运行状态|Operating status: 1 运行|Running; 2 待机|Idle; 3 故障停机|Down; 4 维修中|In repair; 5 保养中|In maintenance; 6 停用|Disabled; 7 报废|Scrapped
machine_importance 重要程度|Criticality: 1 A关键|A Critical; 2 B重要|B Important; 3 C一般|C Ordinary
warranty_state 质保状态|Warranty status: 1 在保|In warranty; 2 即将到期|Ending soon; 3 已过保|Expired
meter_unit 计量单位|Meter unit: 1 小时|h; 2 次|cycles; 3 公里|km; 4 件|pcs
inspect_group_type 点检组类型|Route type: 1 日常点检|Daily; 2 专业点检|Specialist; 3 安全巡检|Safety; 4 能源抄表|Energy
route_order_mode 巡检顺序|Route order: 1 按顺序|In order; 2 不限顺序|Any order
point_scan_mode 扫码方式|Scan at a point: 0 不需扫码|None; 1 二维码|QR; 2 NFC|NFC; 3 二维码或NFC|Either
inspect_config_type 标准类型|Standard type: 1 点检标准|Check standard; 2 保养标准|Maintenance standard
inspect_value_type 结果类型|Value type: 1 数值|Number; 2 正常/异常|Pass/Fail; 3 选项|Choice; 4 文本|Text; 5 拍照|Photo; 6 抄表|Meter
check_method 检查方法|Check method: 1 目视|Look; 2 听诊|Listen; 3 触摸|Touch; 4 测量|Measure; 5 嗅觉|Smell; 6 操作试验|Trial run
item_state 检查状态|Asset state at the check: 1 运行时|Running; 2 停机时|Stopped; 3 均可|Either
photo_rule 拍照要求|Photo rule: 0 不需要|Not needed; 1 必须|Required; 2 异常时必须|Required when abnormal
abnormal_action 异常处理|When abnormal: 0 仅记录|Record only; 1 提示报修|Offer a report; 2 自动报修|Report automatically
shift_pattern 倒班方式|Shift pattern: 1 单白班|Day shift only; 2 两班两运转|Two shifts, two crews; 3 三班三运转|Three shifts, three crews; 4 四班三运转|Three shifts, four crews; 5 四班两运转|Two shifts, four crews; 9 自定义|Custom
workday_mode 工作日|Workdays: 1 连续|Every day; 2 周一至周五|Monday to Friday; 3 法定工作日|Legal workdays
config_status 配置状态|Plan status: 1 草稿|Draft; 2 启用|Enabled; 3 停用|Disabled
cell_source 排班来源|Source of a cell: 1 轮转|Pattern; 2 手工|By hand
holiday_type 假日类型|Holiday type: 1 休息|Day off; 2 调休上班|Working day in exchange
inspect_freq 巡检频次|Frequency: 1 每班一次|Once a shift; 2 每班多次|Several times a shift; 3 每N小时|Every N hours; 4 每天|Daily; 5 每周|Weekly; 6 每月|Monthly; 7 每N天|Every N days; 8 每月第N个星期X|Nth weekday of a month
assign_mode 派工方式|Assignment: 1 班组抢单|Team claims; 2 指定人员|Named person; 3 轮流|In turn
inspect_source 任务来源|Task source: 1 排班生成|From the plan; 2 手工|By hand; 3 临时|Ad hoc
inspect_order_status 巡检任务状态|Inspection status: 1 待巡检|To do; 2 巡检中|In progress; 3 已完成|Done; 4 漏检|Missed; 5 免检|Exempt; 6 已作废|Void
inspect_detail_status 巡检项状态|Item status: 1 待检|To inspect; 2 已检|Checked; 3 漏检|Missed; 4 免检|Exempt; 5 跳过|Skipped
inspect_result 巡检结果|Inspection result: 1 正常|Normal; 2 预警|Warning; 3 异常|Abnormal; 4 不适用|N/A
rest_type 停机类型|Stoppage type: 1 计划停机|Planned; 2 故障停机|Breakdown; 3 节假日停产|Holiday; 4 检修保养停机|Maintenance; 5 待料待单|No material/order; 6 其他|Other
rest_status 停机状态|Stoppage status: 1 未开始|Not started; 2 停机中|Stopped; 3 已结束|Ended; 4 已撤销|Withdrawn
repair_source 报修来源|Report source: 1 人工报修|Reported by hand; 2 点检异常|Inspection finding; 3 保养发现|Maintenance finding; 4 图语记录|Site note; 5 扫码匿名|Anonymous scan; 6 开放接口|Open API
repair_status 维修状态|Work order status: 1 待派单|Pending dispatch; 2 待接单|Dispatched; 3 维修中|In repair; 4 已挂起|On hold; 5 待验收|Pending verification; 6 已完成|Closed; 7 已取消|Cancelled
repair_urgency 紧急程度|Priority: 1 特急|Critical; 2 紧急|Urgent; 3 一般|Normal
repair_type 故障类型|Fault type: 1 机械|Mechanical; 2 电气|Electrical; 3 液压气动|Hydraulic/pneumatic; 4 仪表自控|Instrumentation; 5 其他|Other
repair_work_type 工作类型|Work type: 1 诊断|Diagnosis; 2 维修|Repair; 3 换件|Replacement; 4 调试|Adjustment; 5 外协|Outsourced; 6 清理|Cleaning
repair_hang_reason 挂起原因|Hold reason: 1 待备件|Waiting for parts; 2 待外协|Waiting for a contractor; 3 待停机窗口|Waiting for a shutdown window; 4 待确认|Waiting for a decision; 5 其他|Other
repair_cancel 取消原因|Cancel reason: 1 误报|False alarm; 2 重复|Duplicate; 3 已自行恢复|Recovered by itself; 4 其他|Other
leave_type 请假类型|Leave type: 1 事假|Personal; 2 病假|Sick; 3 年假|Annual; 4 婚假|Marriage; 5 产假|Maternity; 6 其他|Other
leave_status 请假状态|Leave status: 1 草稿|Draft; 2 审批中|In approval; 3 已通过|Approved; 4 已驳回|Rejected; 5 已撤回|Withdrawn
check_result 验收结果|Verification result: 1 通过|Pass; 2 不通过|Fail
maintain_level 保养级别|Maintenance level: 1 日常保养|Daily care; 2 一级保养|Level one; 3 二级保养|Level two; 4 大修|Overhaul; 5 润滑|Lubrication; 6 校准/检定|Calibration
maintain_trigger 触发方式|Trigger: 1 按日历|Calendar; 2 按运行时长|Run hours; 3 先到为准|Whichever comes first
cycle_unit 周期单位|Cycle unit: 1 天|Day; 2 周|Week; 3 月|Month; 4 季|Quarter; 5 年|Year
cycle_anchor 周期起算|Cycle anchor: 1 固定周期|Fixed cycle; 2 完成后起算|From completion
maintain_source 保养来源|Maintenance source: 1 计划|Plan; 2 手工|By hand; 3 接口|Interface
maintain_status 保养状态|Maintenance status: 1 待执行|To do; 2 执行中|In progress; 3 待验收|Pending verification; 4 已完成|Done; 5 已取消|Cancelled
maintain_result 保养结果|Maintenance result: 1 正常/完成|Normal/done; 2 异常|Abnormal; 3 不适用|N/A; 4 未做|Not done
spare_category 备件类别|Spare category: 1 轴承|Bearings; 2 密封件|Seals; 3 电气元件|Electrical parts; 4 液压气动件|Hydraulic and pneumatic parts; 5 传动件|Drive parts; 6 刀具|Tools; 7 润滑油脂|Lubricants; 8 滤芯|Filters; 9 仪表|Instruments; 10 其他|Other
spare_biz_type 出入库类型|Stock movement: 1 期初|Opening stock; 2 采购入库|Purchase in; 3 其他入库|Other in; 4 领用出库|Issued; 5 退回入库|Returned; 6 盘盈|Count surplus; 7 盘亏|Count shortage; 8 报废出库|Scrapped
spare_order_type 领用单据|Issued for: 1 维修|Repair; 2 保养|Maintenance; 3 其他|Other
spare_use_status 领用状态|Issue status: 1 待处理|To handle; 2 已预留|Reserved; 3 部分出库|Partly issued; 4 已出库|Issued; 5 已驳回|Refused; 6 已取消|Cancelled; 7 已退清|Returned in full
required_scene 必填场景|Compulsory at: 1 报修|Report; 2 维修完工|Repair finished; 3 维修验收|Repair verified; 4 点检提交|Inspection submitted; 5 保养提交|Maintenance submitted; 6 设备新增|New asset; 7 备件领用|Spare part request; 8 加入申请|Join request
enable_status 启用状态|Enabled: 0 停用|Disabled; 1 启用|Enabled
join_type 加入类型|Join type: 1 设备版|Equipment edition; 2 智慧版|Wisdom edition
join_status 加入状态|Join status: 0 待审核|To review; 1 已通过|Approved; 2 已驳回|Refused; 3 已撤回|Withdrawn
project_type 项目类型|Project type: 1 新建|New build; 2 维保|Maintenance; 3 改造|Refit; 4 租赁|Lease
project_status 项目状态|Project status: 1 筹备|In preparation; 2 进行中|Under way; 3 已验收|Accepted; 4 已终止|Ended
agreement_type 协议类型|Agreement: 1 用户服务协议|Service agreement; 2 隐私政策|Privacy policy; 3 小程序用户协议|Mini-program agreement
pay_type 支付方式|Payment method: 1 对公转账|Bank transfer; 2 微信|WeChat; 3 支付宝|Alipay; 4 赠送|Free of charge
pay_status 支付状态|Payment status: 1 待支付|To pay; 2 已支付|Paid; 3 已退款|Refunded; 4 已取消|Cancelled
tuyu_type 图语类型|Site note type: 1 隐患|Hazard; 2 故障苗头|Early sign of a fault; 3 改善建议|Suggestion; 4 现场记录|Record
tuyu_status 图语状态|Site note status: 1 待处理|To handle; 2 处理中|In progress; 3 已转维修|Turned into a repair; 4 已关闭|Closed
job_group 任务分组|Job group: 1 业务|Business; 2 系统|System
job_status 任务状态|Job status: 0 停止|Stopped; 1 运行|Running
job_log_status 执行状态|Run status: 1 运行中|Running; 2 成功|Succeeded; 3 失败|Failed; 4 超时|Timed out; 5 跳过|Skipped
feedback_type 反馈类型|Feedback type: 1 产品建议|Suggestion; 2 功能故障|Functional fault; 3 其他问题|Other problem
rest_source 停机来源|Stoppage source: 1 手工|Manual; 2 维修工单|Work order; 3 保养单|Maintenance order; 4 接口|Interface
reading_source 读数来源|Reading source: 1 手工|Manual; 2 点检抄表|Inspection reading; 3 接口|Interface; 4 保养|Maintenance
service_level 服务等级|Service level: 1 金|Gold; 2 银|Silver; 3 铜|Bronze
machine_scope 设备范围|Asset scope: 1 全部|All; 2 本部门|Own department; 3 指定|Chosen
contact_type 联系人类型|Contact type: 1 客户|Customer; 2 服务商|Service provider; 3 内部|Internal
tuyu_level 图语等级|Site note level: 1 一般|Ordinary; 2 较大|Serious; 3 重大|Grave
agreement_status 协议状态|Agreement status: 0 草稿|Draft; 1 已发布|Published; 2 已失效|No longer valid
stock_state 库存状态|Stock state: 1 正常|Normal; 2 偏低|Low; 3 缺货|Out of stock; 4 超储|Over stock
due_state 到期状态|Due state: 1 未到|Not due; 2 临近|Near; 3 到期|Due; 4 逾期|Overdue
trigger_type 触发类型|Trigger type: 1 定时|Schedule; 2 手动|By hand; 3 重试|Retry; 4 补偿|Catch-up
schedule_type 调度类型|Schedule type: 1 CRON|CRON; 2 固定间隔|Fixed interval
block_strategy 阻塞策略|When still running: 1 丢弃本次|Skip this run; 2 排队一次|Queue one run
misfire 过期策略|When missed: 1 忽略|Ignore; 2 补一次|Run once
"""

REMARKS: Mapping[tuple[str, str], str] = {
    ("flow", "1"): "leave",
    ("flow", "2"): "repair",
    ("flow", "3"): "maintain",
    ("flow", "4"): "join",
}
"""Of a process category the segment of its pages' addresses."""


@dataclass(frozen=True)
class Shipped:
    """One dictionary: its name and its values by key, each in Chinese and English."""

    name: tuple[str, str]
    values: Mapping[str, tuple[str, str]]


def _pair(text: str) -> tuple[str, str]:
    zh, _sep, en = text.partition("|")
    return zh.strip(), en.strip()


def _table(text: str) -> dict[str, Shipped]:
    found = {}
    for line in text.strip().splitlines():
        head, _sep, values = line.partition(": ")
        code, _sep, name = head.partition(" ")
        by_key = {}
        for entry in values.split("; "):
            key, _sep, words = entry.partition(" ")
            by_key[key] = _pair(words)
        found[code] = Shipped(_pair(name), by_key)
    return found


SYSTEM: Mapping[str, Shipped] = _table(_SYSTEM)
BUSINESS: Mapping[str, Shipped] = _table(_BUSINESS)


RELEASES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "0.1.0": {
        "zh": (
            "首个版本",
            "\n".join(
                (
                    "报修、派单、维修、验收按流程图流转，流程可在浏览器中绘制和发布",
                    "点检路线、排班、任务生成，手机离线巡检",
                    "保养周期到期生成保养单，备件领用、出库、盘点",
                    "首页待办、看板和设备指标，数字可逐条打开",
                )
            ),
        ),
        "en": (
            "First release",
            "\n".join(
                (
                    "Repairs follow a process model that is drawn and deployed in the browser",
                    "Inspection routes, shift schedules, generated tasks, and walks without a network",
                    "Maintenance orders when a cycle is due; spare parts requested, issued and counted",
                    "Home page, dashboards and asset KPIs whose figures open their records",
                )
            ),
        ),
    },
}
"""What each release of the product has brought: by version and language its name and a line for each change."""
