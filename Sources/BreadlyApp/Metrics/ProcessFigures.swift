// Figures of this process from the system, under the names of Prometheus' own clients.

import Foundation
import Glibc

enum ProcessFigures {
    static func write(into text: inout MetricsText) {
        if let pages = field(1, of: "/proc/self/statm") {
            let bytes = pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
            text.line("process_resident_memory_bytes", "\(bytes)", kind: "gauge")
        }
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            let rest = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
            text.line("process_cpu_seconds_total", "\(seconds + rest)", kind: "counter")
        }
        if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            text.line("process_open_fds", "\(open)", kind: "gauge")
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            text.line("process_max_fds", "\(limit.rlim_cur)", kind: "gauge")
        }
        if let startedAt { text.line("process_start_time_seconds", "\(startedAt)", kind: "gauge") }
    }

    /// The start of the process, in UTC seconds. It is constant, even if the clock is set.
    private static let startedAt: Double? = {
        // Field 22 of proc(5), counted from behind the name, which may contain any character: ticks since the
        // system's start.
        guard let data = FileManager.default.contents(atPath: "/proc/self/stat") else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 19, let ticks = Double(fields[19]) else { return nil }
        // Not with `btime` of /proc/stat, which is hidden from a unit with ProcSubset=pid.
        func seconds(_ clock: clockid_t) -> Double {
            var now = timespec()
            clock_gettime(clock, &now)
            return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
        }
        let begun =
            seconds(CLOCK_REALTIME) - seconds(CLOCK_BOOTTIME) + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        return (begun * 100).rounded() / 100
    }()

    private static func field(_ index: Int, of path: String) -> Int64? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
        return fields.indices.contains(index) ? Int64(fields[index]) : nil
    }
}
