//! Loops compiled twice: for any processor, and for one with AVX2.

/// Run a function compiled for AVX2 where the processor has it; the bits are the same without.
macro_rules! with_vectors {
    ($name:ident($($argument:ident: $type:ty),*)) => {{
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn vectors($($argument: $type),*) {
            $name($($argument),*)
        }
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions, as just asked; the code is the same safe Rust. Products are
            // rounded before they are added, without fused multiplication, so the bits are the same.
            // It pays: benchmarks/classifiers.py and benchmarks/leave_one_out.py.
            #[allow(unsafe_code)]
            return unsafe { vectors($($argument),*) };
        }
        $name($($argument),*)
    }};
}

pub(super) use with_vectors;
