//! Contestants in turn, and what each needs beside ours.

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

/// What a run gives, kept until the clock has stopped.
pub trait Kept {}
impl<T> Kept for T {}
pub type Run<'a> = Box<dyn FnOnce() -> Box<dyn Kept> + 'a>;

pub struct Contestant<'a> {
    pub group: &'static str,
    name: &'static str,
    pub prepare: Box<dyn Fn() -> Run<'a> + 'a>,
}

/// A contestant that needs `prepare` before the clock starts, then runs.
pub fn contestant<'a, S: 'a, R: 'static>(
    group: &'static str,
    name: &'static str,
    prepare: impl Fn() -> S + 'a,
    run: impl Fn(S) -> R + Copy + 'a,
) -> Contestant<'a> {
    let prepare = move || -> Run<'a> {
        let state = prepare();
        Box::new(move || Box::new(black_box(run(state))))
    };
    Contestant { group, name, prepare: Box::new(prepare) }
}

fn processor_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to the struct it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn quantile(values: impl Iterator<Item = f64>, of: f64) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * of).round() as usize]
}

/// Run all contestants of a group once a round, in turn; print medians, and ratios taken inside a round.
pub fn time(contestants: &[Contestant], rounds: usize) {
    println!("{:<28}{:>10}{:>24}{:>12}", "", "median", "÷ ours, quartiles", "processor");
    for group in contestants.chunk_by(|left, right| left.group == right.group) {
        println!("{}", group[0].group);
        let mut measured = vec![Vec::new(); group.len()];
        for round in 0..=rounds {
            for place in (0..group.len()).map(|place| (place + round) % group.len()) {
                let run = (group[place].prepare)();
                let (start, busy) = (Instant::now(), processor_seconds());
                let kept = run();
                measured[place].push((start.elapsed().as_secs_f64(), processor_seconds() - busy));
                drop(kept);
            }
        }
        // The first round warms up.
        for figures in &mut measured {
            figures.remove(0);
        }
        for (contestant, figures) in group.iter().zip(&measured) {
            let beside = || figures.iter().zip(&measured[0]);
            let wall = |of| quantile(beside().map(|(this, ours)| this.0 / ours.0), of);
            println!(
                "  {:<26}{:>7.1} ms{:>8.2} ({:.2} – {:.2}){:>12.2}",
                contestant.name,
                quantile(figures.iter().map(|figure| figure.0 * 1e3), 0.5),
                wall(0.5),
                wall(0.25),
                wall(0.75),
                quantile(beside().map(|(this, ours)| this.1 / ours.1), 0.5),
            );
        }
    }
}

/// Print the instructions of one run as callgrind counts them, less those of getting ready.
pub fn count_instructions(contestants: &[Contestant]) {
    let program = std::env::current_exe().expect("a path");
    let count = |place: usize, runs: &str| -> f64 {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(&program);
        let output = valgrind.args(["once", &place.to_string(), runs]).output().expect("valgrind");
        let output = String::from_utf8_lossy(&output.stderr);
        let line = output.lines().find(|line| line.contains("Collected :")).expect("a line of callgrind");
        line.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    let mut ours = 0.0;
    for (place, contestant) in contestants.iter().enumerate() {
        // Threads take pieces as they come: only what one thread does can be counted twice with one result.
        if contestant.group.contains("thread") || contestant.group.contains("rows") {
            continue;
        }
        let instructions = count(place, "1") - count(place, "0");
        if contestant.name == "ours" {
            println!("{}", contestant.group);
            ours = instructions;
        }
        println!("  {:<26}{:>8.0} million{:>8.2}", contestant.name, instructions / 1e6, instructions / ours);
    }
}
